
BxJ±	