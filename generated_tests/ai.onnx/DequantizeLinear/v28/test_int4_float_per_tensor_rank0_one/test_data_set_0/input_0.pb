BxJ
