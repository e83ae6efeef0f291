
ByJ4