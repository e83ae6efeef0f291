
ByJÉA