Bx_scaleJ
×#|