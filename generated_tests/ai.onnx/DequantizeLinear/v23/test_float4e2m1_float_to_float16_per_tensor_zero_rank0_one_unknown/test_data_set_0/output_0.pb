
ByJ¿: