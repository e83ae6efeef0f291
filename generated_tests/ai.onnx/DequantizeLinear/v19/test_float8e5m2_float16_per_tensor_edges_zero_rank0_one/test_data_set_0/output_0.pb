
ByJ3«