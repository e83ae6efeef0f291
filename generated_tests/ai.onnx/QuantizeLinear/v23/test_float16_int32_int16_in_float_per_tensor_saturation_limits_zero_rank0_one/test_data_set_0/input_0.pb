
BxJ	ø