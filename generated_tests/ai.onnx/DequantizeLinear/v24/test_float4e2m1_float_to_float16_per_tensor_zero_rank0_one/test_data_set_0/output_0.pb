
ByJuÄ