
Bx_scaleJÃ6=-µ;/2