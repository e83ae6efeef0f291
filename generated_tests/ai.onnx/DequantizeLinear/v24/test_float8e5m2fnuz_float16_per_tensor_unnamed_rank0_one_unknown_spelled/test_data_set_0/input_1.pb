
Bx_scaleJÃ6