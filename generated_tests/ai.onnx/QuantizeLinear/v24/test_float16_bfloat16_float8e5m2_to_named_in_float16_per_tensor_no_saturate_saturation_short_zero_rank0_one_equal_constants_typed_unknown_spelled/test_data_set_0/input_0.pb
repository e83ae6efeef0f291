
BxJà{