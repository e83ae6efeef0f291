
ByJ-W