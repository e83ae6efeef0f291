
ByJò°