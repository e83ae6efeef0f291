
ByJq