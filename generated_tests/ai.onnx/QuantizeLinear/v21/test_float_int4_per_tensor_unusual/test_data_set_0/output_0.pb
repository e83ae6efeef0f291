ByJ
wwwwwwwwww