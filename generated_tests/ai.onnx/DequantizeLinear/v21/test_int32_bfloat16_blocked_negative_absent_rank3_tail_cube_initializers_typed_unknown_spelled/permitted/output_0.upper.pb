ByJ€ZÎ9L—ÏÌÒNxÌ¡NNÎlLƒÏ²K*M
Î!M,ÏËŠOÓÍLƒLÏšMFÍñÉ£O¬Í…LÅÎ}ÌOxÌ¸M5NÌ7NhÏ¢ÌÝLŠÎTNMN6ÌmN‘ÍL°LÏM>ÍNÍM"ÎÒKŒN"ÍÖM'Í„Ì§MÄÎƒKØÏÍ