
Bx_scaleJ=-µ;/2§<