
ByJ¶