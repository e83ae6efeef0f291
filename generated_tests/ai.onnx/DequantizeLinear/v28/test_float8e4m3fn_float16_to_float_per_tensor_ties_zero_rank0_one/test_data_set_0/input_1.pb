
Bx_scaleJ<