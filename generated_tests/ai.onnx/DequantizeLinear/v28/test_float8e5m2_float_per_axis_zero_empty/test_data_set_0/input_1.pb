Bx_scaleJÇ·¨>ƒÓ÷=AïF?ý
>