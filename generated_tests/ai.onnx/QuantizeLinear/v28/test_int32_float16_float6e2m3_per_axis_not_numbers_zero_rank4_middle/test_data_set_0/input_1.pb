
By_scaleJ}3÷=o(