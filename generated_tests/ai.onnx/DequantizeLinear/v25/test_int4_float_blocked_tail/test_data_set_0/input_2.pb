Bx_zero_pointJ
Q‡uøQ‡uø