
ByJF
MÞ\ŸBCIƒ\U1UHÔ3ÞXÐSeQNYP@IEya·^8K×RJßJWçLSÇZT,Gù]R>S]N0O9L
P