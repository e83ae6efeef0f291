By_zero_pointJ
uøQ‡uøQ‡