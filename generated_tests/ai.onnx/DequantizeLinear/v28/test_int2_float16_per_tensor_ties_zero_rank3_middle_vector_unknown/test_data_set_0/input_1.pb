
Bx_scaleJo4