
Bx_scaleJß0