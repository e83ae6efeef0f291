
Bx_scaleJ@