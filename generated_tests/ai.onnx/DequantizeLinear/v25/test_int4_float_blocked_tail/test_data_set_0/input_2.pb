Bx_zero_pointJ
uøQ‡uøQ‡