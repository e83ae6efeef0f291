
ByJ­k