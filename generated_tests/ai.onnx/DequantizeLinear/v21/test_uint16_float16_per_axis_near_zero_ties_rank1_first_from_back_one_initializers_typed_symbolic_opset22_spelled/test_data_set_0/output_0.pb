
ByJD