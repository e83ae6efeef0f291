
BxJ˜H