
ByJˆí