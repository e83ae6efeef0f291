
Bx_scaleJ9}3÷=o(