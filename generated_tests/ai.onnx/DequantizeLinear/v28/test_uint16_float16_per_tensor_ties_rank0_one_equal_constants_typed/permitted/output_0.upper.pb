
ByJ\p