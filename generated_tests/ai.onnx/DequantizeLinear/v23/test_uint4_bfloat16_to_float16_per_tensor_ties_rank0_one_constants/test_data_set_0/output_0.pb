
ByJv½