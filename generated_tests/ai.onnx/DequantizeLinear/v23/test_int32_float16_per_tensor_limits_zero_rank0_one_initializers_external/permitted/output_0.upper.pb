
ByJs≈