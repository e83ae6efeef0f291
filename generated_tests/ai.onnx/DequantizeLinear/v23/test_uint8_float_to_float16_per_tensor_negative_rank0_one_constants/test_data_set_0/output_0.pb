
ByJтн