
Bx_scaleJO-É;A2»<