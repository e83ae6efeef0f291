
By_scaleJUu