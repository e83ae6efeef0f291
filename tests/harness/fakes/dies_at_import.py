"""Ends its process at import."""

import os

os.write(2, b"illegal instruction, it says\n")
os._exit(7)
