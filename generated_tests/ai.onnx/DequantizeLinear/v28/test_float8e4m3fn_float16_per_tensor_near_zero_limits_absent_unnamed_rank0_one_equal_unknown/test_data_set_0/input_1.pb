
Bx_scaleJa