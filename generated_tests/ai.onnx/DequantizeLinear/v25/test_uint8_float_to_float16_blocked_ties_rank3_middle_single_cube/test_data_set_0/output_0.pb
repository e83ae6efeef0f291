
ByJ€èMÍëÕ›Wb×sJëÝù[„K¤ÍþÖWë×`I/Þ´[”L"Ú…TMÑPÌsTcÔuÈL­ÚöS’Ñ2R¾RíÔŠÉ×[ÒK<Ö`XUkÍIYM[,ÓöIR××_ÎTöÍ¿X9Ù…:©Z&ÔÐPPŸÔITÙCTZ²Ô(Ñ
PµÕ|S