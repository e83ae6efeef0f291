
ByJtø