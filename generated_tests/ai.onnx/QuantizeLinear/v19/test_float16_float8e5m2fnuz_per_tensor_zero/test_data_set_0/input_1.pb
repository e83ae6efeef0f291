
By_scaleJ/2