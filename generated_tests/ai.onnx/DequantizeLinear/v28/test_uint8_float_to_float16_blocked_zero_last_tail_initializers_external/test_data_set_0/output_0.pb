
ByJF
MÞ\ŸBBI‚\U1UHÔ3ÞXÐSeQNYP?IEya·^8K×RJßJWçLSÇZŒT,Gù]R>S]N0O9L
P