
ByJH