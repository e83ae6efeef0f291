
BxJ€J