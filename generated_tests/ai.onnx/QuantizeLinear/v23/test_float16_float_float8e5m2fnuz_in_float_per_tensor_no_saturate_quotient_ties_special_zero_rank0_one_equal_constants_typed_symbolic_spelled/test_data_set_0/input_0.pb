
BxJ„