
Bx_scaleJY?