BxJ
