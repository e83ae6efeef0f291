
ByJ3c