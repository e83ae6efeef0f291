
By_scaleJß0