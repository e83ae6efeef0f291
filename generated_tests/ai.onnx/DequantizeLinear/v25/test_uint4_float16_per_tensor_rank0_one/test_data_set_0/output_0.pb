
ByJ•È