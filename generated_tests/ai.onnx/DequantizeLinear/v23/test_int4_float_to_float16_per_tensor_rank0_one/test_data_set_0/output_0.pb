
ByJ•I