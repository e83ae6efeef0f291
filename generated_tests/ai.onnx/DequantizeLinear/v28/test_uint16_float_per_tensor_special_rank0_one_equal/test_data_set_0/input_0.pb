BxJ
C