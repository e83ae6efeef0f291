
BxJ°