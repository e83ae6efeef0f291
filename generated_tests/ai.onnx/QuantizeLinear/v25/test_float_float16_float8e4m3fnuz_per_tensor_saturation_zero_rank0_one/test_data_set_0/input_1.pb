
By_scaleJ7@