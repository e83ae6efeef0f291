
Bx_scaleJO<Q4