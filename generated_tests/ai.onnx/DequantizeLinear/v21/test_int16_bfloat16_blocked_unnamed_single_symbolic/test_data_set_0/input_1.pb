Bx_scaleJ
ù>É=?g>µ?