ByJx!(Fä®ŒE¤GÚŠG9¾Æ¡Õ|FæT
Å›E÷EWMLÇPðÇÇkGVG‹ûèF615Å‚×áEQqÃÆz·ZGB9E,q¬ÆŠ`ÅÊÆû€E ¤¢G†ZCG9-ÃkÿÈÅ¤ÝæF$I Æ!¡Å‹G×Æ