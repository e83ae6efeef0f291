
ByJߴ