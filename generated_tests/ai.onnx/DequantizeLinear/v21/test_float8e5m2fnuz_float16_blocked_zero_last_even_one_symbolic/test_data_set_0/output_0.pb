
ByJHç