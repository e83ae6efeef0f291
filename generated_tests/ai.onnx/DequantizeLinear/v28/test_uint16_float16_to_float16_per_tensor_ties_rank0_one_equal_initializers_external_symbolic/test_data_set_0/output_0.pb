
ByJfó