
ByJ€