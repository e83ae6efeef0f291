
ByJê