
ByJ±Z