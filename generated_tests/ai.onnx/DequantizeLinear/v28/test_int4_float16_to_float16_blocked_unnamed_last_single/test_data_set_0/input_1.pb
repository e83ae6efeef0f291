
Bx_scaleJ
3?«)%@6-