By_scaleJM€
=	œY@Ç·¨>ƒÓ÷=