
ByJF