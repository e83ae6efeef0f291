
ByJú9