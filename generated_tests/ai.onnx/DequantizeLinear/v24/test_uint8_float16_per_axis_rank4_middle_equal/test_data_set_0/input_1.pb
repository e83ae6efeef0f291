
Bx_scaleJA2»<3+­A