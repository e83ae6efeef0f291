
BxJÿ{