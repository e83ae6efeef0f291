Bx_scaleJƒÓ÷½AïF¿ý
¾»&å¿