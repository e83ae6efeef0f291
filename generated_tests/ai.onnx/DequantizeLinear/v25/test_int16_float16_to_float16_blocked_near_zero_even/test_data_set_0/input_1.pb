
Bx_scaleJ™A4‹.9}3÷=o(éBa5Û/S:Í0E?¿)7@