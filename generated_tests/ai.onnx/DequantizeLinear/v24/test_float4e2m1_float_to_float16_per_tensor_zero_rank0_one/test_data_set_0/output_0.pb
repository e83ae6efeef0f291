
ByJu@