ByJ
