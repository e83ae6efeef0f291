Bx_scaleJÓHl>d»?M€
=	œY@