
By_scaleJ]@×6O-É;