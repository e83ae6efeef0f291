
ByJ(BN¢W¡Ð‚S2ÖÀñUÔ!Pâ×BÏAT±ÕFrVÓ!Qb×AÍÁT