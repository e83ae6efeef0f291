
By_scaleJÛ/