
By_scaleJu5