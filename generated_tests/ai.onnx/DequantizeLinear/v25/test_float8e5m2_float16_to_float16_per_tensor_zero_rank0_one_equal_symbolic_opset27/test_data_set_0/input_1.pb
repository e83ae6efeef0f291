
Bx_scaleJÍ0