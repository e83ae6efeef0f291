
By_scaleJ
o(ÈBa5€/S: