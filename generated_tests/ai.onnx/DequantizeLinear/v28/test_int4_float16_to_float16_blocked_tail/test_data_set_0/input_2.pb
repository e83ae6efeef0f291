Bx_zero_pointJ
øQ‡uøQ‡u