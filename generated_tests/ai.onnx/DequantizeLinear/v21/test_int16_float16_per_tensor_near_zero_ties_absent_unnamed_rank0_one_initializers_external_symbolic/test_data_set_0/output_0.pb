
ByJÉ