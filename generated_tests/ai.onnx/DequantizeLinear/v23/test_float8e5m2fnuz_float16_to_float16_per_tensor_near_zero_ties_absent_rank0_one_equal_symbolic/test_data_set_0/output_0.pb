
ByJ	¸