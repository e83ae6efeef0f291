
ByJиш