
Bx_scaleJ!+