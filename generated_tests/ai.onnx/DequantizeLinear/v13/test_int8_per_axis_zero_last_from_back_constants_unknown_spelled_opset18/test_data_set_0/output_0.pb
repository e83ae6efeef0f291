ByJPKó/Â‰¯Àmx¢BlÇÁH7CH>CóHÃ£LÛA¹™jÂ
B¸@ D€B
âÁ}ž(CÒ"h¾iZÃOÀA ’Â³¦¬@¦<B¨	ýÁ