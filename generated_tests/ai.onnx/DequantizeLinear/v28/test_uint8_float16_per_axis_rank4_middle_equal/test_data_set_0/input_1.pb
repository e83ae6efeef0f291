
Bx_scaleJÉ;A2»<3+