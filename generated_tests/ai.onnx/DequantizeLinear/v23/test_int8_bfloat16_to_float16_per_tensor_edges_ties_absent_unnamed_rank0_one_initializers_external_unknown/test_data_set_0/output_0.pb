
ByJ¨L