
By_scaleJÍ0E?¿)7@