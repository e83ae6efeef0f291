
ByJF
MÞ\ŸBBI‚\U1UHÔ3ÞXÐSeQNYP?IEya·^7KÖRJßJWçLSÇZŒT,Gù]R>S]N0O8L	P