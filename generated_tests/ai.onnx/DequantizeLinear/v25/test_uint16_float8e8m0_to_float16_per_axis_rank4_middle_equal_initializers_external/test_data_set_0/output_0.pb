
ByJ€öÃsvð¨w.n‘ôRuPêçöúq@òÄv9iuõntºîæçèáæAÜä-çvàIå|ÕÌâtæ
Þ‘äŸç[á¼ålzôhÍùxôÝ{s\ø‡yªì²úcvÖõøzànAùQr†n›^'q1l
s÷olgßq¢mÃs´p˜j˜ro³c´q…ò¡v"h˜õKtFïî÷Öo'ô¼uæ}öÍrlñ-wïâ†æPÞ¢ä±ç~áÍåÜÚÔãøæàå\Ðbâ?æ7ÝÂíÕúvöÖzÈmdù€xsò¹ûTtå÷ñypåHú7wm±s£pRj†rðnœb[qšl?s1p‰hrn÷sépJô™uè ö‡r²ñ
wpk/õµtŸí„÷¾p{ó&v¸X
ç0à&å‹Ò…âQæ}Ýmä|çá˜å5ÙjãÃæFßàäÜûtøÎyçèkúñvHõ?{‹púøêxÌðPû(u÷-spChrémæsØp&k»rZoõdqmtsep]i’t+î§÷xpÁóv`Þ6ö[sÞðtw_mÅôuðë÷7áªåÀÙãÕæŒßñäÿçâæ©Ü9äGçªàcå×þoùÇxXñrûâtW÷8zÔbúÄwuô©{2røSy7oidqálbsTpi7rRn¸ZqùkðrÄoœfÅq