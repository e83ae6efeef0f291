
By_scaleJÉ;A2»<3+