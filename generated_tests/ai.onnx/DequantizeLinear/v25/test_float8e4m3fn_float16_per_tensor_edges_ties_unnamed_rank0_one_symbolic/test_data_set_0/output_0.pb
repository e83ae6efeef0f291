
ByJy×