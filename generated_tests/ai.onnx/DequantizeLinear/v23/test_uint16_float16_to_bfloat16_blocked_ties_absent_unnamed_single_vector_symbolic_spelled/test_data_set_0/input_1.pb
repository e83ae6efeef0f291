	
Bx_scaleJ4@<$4,@4<<4D@L<