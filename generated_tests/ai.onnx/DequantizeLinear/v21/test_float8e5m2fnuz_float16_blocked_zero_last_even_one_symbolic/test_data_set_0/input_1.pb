
Bx_scaleJ	>