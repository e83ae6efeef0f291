Bx_scaleJAïF¿ý
¾»&å¿wB4½