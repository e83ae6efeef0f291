
ByJܫ