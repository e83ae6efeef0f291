
By_scaleJ€>