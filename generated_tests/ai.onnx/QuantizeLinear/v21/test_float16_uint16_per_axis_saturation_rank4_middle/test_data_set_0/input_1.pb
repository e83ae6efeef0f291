
By_scaleJ‹.9}3