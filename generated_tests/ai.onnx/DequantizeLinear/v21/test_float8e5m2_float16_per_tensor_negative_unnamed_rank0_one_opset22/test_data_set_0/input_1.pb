
Bx_scaleJ}³