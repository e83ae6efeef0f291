
ByJ.W