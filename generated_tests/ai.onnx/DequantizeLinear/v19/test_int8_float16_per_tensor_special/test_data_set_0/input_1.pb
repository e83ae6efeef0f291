
Bx_scaleJ¼