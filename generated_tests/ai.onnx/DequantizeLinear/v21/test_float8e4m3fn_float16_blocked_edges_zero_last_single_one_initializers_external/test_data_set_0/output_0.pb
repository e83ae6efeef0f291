
ByJÆX