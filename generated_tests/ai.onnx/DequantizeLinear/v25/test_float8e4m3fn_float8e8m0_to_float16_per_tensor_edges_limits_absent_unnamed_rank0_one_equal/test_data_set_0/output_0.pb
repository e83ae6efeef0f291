
ByJÀ