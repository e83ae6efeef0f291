Bx_scaleJM€
=	œY@Ç·¨>ƒÓ÷=