
Bx_scaleJ•<