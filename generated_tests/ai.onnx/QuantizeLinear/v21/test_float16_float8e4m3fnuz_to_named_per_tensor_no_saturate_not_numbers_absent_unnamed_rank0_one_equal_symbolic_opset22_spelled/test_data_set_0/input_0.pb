
BxJÐ-