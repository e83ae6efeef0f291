	
Bx_scaleJ4@8$<,44@<8D<L4