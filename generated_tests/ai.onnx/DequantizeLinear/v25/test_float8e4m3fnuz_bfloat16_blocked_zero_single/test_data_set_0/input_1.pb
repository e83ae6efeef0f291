Bx_scaleJ
=O@>í=;?