
ByJL