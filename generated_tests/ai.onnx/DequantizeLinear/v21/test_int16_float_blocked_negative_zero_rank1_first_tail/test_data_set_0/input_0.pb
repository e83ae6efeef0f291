BxJehœÓ¤
CAáx¯