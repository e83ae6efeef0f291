Bx_scaleJ”Hl>èdª?MÄ
=