
ByJT&