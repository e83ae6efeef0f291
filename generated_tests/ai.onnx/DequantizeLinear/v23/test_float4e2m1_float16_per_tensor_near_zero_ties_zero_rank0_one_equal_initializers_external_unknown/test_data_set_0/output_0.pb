
ByJÀ