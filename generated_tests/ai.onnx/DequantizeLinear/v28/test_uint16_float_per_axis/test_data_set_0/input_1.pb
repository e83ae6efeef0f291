Bx_scaleJd»?M€
=	œY@Ç·¨>