"""One module an operator, named as specs name it under ``kernel``; each has ``readings``."""
