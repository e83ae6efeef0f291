
BxJÑa