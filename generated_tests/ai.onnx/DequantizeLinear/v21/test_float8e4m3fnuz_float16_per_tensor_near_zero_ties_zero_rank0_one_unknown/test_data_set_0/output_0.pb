
ByJ<