Bx_scaleJM€
=