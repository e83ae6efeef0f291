By_scaleJÓHl>d»?M€
=	œY@