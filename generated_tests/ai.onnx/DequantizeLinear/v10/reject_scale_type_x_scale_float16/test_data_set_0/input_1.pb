
Bx_scaleJ,