
ByJN=