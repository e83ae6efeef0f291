
ByJ­g