
ByJj¿