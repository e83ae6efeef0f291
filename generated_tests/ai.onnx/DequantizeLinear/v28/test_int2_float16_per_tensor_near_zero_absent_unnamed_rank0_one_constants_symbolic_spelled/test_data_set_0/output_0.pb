
ByJí/