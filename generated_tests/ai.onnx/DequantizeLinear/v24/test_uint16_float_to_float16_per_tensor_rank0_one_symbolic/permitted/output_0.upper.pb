
ByJê