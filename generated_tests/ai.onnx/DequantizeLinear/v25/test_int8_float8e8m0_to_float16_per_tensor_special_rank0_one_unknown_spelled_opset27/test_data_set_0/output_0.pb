
ByJÚ