
ByJø^