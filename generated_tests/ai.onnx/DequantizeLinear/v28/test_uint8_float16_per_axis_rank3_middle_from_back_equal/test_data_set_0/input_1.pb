
Bx_scaleJ3+­A%4Ÿ.