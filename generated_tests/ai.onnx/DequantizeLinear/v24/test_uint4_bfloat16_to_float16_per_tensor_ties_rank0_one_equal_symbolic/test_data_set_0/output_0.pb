
ByJFI