
By_scaleJo(ÈBa5