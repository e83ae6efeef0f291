Bx_scaleJAïF?ý
>»&å?wB4=5^@