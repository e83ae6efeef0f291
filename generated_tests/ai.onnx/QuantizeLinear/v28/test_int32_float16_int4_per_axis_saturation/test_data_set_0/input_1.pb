
By_scaleJ¿)7@±6)-