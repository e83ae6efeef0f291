
ByJÅQ