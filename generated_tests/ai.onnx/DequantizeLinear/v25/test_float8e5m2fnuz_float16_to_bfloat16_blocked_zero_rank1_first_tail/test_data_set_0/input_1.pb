
Bx_scaleJÑ)K@Ã6=-