Bx_scaleJYŒ=-?”Hl>èdª?MÄ
=