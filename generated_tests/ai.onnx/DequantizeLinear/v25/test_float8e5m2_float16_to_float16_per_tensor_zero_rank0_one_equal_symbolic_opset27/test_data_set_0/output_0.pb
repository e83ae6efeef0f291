
ByJÍH