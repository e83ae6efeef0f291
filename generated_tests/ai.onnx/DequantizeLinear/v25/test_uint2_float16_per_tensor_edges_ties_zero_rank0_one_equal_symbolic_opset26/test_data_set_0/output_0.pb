
ByJF