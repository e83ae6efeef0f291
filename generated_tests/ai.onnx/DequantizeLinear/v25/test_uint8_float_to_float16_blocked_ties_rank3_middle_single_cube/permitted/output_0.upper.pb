
ByJ€èMÍëÕ›Wb×sJëÝù[…K¤ÍþÖWë×`I/Þ´[•L"Ú†TMÑPÌsTcÔuÈL¬Ú÷S’Ñ3R¾RíÔ‰ÉØ[ÒK<Ö`XUkÍIYN[+ÓöIQ×Ø_ÎTöÍ¿X9Ù…:ªZ&ÔÐPPŸÔITÙCTZ±Ô(Ñ
PµÕ|S