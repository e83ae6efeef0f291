BxJ)
x)
x