
By_scaleJ!+