ByJU
