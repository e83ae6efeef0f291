
Bx_scaleJ,y:ó0k?