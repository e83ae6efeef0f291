
Bx_scaleJ<