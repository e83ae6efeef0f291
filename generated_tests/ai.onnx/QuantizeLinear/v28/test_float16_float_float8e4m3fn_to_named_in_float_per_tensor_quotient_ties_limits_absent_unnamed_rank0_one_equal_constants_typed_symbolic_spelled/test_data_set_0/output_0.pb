ByJ
