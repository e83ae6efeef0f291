
ByJ[p