BxJ
