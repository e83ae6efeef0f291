
ByJçr