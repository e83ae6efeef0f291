ByJP&-ÃCQB7œD
/†CÚ¡MDR:òCÝaCÌ"/D6<µC&-ÃA¿£D4|pCb©FDaIäC÷ÿìBT*(DEK§Cø/^DF«	DSšTC