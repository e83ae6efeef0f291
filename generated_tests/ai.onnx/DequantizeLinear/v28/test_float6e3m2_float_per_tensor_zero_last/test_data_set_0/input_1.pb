Bx_scaleJý
>