ByJ€ZÎ8L—ÏÌÒNyÌ¡NNÎlLƒÏ²K*M
Î!M,ÏËŠOÓÍLƒLÏšMFÍñÉ£O¬Í…LÅÎ}ÌOyÌ¸M5NÌ7NhÏ¢ÌÜLŠÎTNMN6ÌmN’ÍL°L ÏM?ÍNÍM"ÎÑKŒN"ÍÖM'Í„Ì§MÄÎƒKØÏÍ