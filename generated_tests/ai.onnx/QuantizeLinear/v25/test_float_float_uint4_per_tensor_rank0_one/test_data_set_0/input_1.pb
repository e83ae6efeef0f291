By_scaleJM€
=