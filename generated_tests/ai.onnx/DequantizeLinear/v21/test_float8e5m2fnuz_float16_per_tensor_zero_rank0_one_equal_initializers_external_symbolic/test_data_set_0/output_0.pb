
ByJ	î