
Bx_scaleJÉ;