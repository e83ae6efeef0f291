
ByJ¼