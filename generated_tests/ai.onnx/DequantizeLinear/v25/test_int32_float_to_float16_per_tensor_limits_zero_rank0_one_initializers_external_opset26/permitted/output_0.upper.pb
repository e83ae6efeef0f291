
ByJÔ