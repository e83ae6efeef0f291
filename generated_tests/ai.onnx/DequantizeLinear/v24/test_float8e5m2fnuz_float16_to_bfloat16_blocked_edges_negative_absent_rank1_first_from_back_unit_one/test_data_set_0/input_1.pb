
Bx_scaleJ!«