Bx_scaleJ
s?C>‘?a=/@