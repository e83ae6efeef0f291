
By_scaleJÑ)