
ByJÈ