
Bx_scaleJ‹.