
By_scaleJ‹.