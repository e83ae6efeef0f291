ByJxÉÅMÅ"âÌµúdÍG÷“LîT5ÎíÜ—Nˆ‚=J^Í
\ÚNè-Îól©L4‡K˜ÏŠu*OÝ‰¨Ì‰Æ3ÎŸ“kLJÛyÌQ“ÈNEMm„Í“cPM ¸îÍîÏ”mãK.V]ÌaDyO4W1Í:¹FÎH`ÛM