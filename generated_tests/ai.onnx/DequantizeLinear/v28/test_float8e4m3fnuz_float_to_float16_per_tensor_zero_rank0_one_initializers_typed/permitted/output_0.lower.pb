
ByJµ