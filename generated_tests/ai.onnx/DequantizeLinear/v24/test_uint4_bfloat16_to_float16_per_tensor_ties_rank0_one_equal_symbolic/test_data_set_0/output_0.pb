
ByJ8¼