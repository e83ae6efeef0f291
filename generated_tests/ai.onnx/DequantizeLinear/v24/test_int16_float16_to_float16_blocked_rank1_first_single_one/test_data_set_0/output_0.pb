
ByJaj