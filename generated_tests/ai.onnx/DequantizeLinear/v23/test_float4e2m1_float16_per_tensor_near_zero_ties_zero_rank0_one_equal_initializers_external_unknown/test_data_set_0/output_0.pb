
ByJ¼