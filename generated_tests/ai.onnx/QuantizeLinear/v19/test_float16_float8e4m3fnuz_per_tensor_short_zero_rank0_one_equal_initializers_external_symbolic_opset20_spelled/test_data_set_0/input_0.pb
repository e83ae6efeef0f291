
BxJÀW