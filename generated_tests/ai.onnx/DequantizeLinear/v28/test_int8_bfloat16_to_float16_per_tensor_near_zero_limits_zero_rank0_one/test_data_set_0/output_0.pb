
ByJ€