
ByJ€èMÍëÕšWc×rJëÝø[„K¤ÍÿÖWì×_I0Þ´[”L"Ú…TMÑPÌrTcÔuÈL­ÚöS’Ñ2R½RîÔŠÉ×[ÒK<Ö`XUlÍIYM[,ÓöIR××_ÍTöÍ¾X:Ù„:©Z&ÔÐOP ÔITÙBTZ²Ô(Ñ
P¶Õ{S