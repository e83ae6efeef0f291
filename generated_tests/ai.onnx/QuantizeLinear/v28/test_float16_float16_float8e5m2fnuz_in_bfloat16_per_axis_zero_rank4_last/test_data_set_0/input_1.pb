
By_scaleJ÷=o(éBa5