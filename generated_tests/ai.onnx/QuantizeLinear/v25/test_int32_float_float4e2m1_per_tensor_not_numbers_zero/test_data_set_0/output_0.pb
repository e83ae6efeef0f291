ByJ
novfofgo