By_scaleJ
×#|