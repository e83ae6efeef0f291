
BxJ©H