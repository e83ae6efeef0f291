ByJxÉÅMÆ"âÌµúdÍG÷“LîT5ÎíÜ—N‡‚=J^Í
\ÚNé-Îól©L4‡K˜ÏŠu*OÞ‰¨Ì‰Æ3ÎŸ“kLJÛyÌQ“ÈNEMm„Í“cPM ¸îÍîÏ“mãK.V]ÌaDyO4W1Í:¹FÎG`ÛM