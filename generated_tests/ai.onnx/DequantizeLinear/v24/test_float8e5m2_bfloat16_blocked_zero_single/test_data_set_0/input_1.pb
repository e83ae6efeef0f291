Bx_scaleJ
?k>»?	=Y@