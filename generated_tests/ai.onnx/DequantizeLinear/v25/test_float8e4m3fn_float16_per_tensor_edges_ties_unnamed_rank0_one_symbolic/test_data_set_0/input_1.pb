
Bx_scaleJE4