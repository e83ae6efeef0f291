
By_scaleJ€Q