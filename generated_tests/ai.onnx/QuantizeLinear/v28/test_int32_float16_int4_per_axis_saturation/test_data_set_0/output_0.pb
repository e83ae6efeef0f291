ByJ
qGq‰ˆqG‰