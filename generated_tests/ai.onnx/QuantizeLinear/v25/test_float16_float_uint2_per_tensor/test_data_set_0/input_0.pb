
BxJ(*HlDq½ÂÄ*HlDq½q5Ä*HlD@q5Ä*HÃÀqE{Cq¹