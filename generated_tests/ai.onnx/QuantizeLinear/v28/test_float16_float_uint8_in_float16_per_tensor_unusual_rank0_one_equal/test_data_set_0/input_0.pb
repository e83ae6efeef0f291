
BxJy‘