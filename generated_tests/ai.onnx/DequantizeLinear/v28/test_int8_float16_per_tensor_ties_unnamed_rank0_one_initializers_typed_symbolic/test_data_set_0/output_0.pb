
ByJ²Z