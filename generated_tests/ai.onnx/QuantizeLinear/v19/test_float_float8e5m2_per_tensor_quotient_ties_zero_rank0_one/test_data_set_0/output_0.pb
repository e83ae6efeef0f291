ByJ
