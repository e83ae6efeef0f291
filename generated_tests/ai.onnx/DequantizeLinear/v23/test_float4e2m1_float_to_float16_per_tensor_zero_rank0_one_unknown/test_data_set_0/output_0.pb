
ByJ¿²