
ByJ:¼