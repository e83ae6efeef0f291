
By_scaleJ•<+‡Aÿ7