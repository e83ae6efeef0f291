
By_scaleJ™A4‹.9