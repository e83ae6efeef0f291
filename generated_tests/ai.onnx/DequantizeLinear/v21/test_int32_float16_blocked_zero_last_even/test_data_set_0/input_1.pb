
Bx_scaleJ‡Aÿ7y.ñ8k3ã=](ÕBO5Ç/A:¹03?«)%@