
ByJ8