
ByJå