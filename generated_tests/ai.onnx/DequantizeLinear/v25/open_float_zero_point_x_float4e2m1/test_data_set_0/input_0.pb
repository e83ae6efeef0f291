BxJ

B
B
B
B
B