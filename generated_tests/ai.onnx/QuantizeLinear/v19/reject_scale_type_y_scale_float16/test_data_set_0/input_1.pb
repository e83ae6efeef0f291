
By_scaleJ,