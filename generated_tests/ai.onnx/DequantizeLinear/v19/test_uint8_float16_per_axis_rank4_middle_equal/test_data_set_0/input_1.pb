
Bx_scaleJ]@×6O-É;