
By_scaleJK@