
Bx_scaleJ@