
ByJ·8