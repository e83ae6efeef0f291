"""Cannot be imported."""

raise ImportError("libsomething.so.1: cannot open\nmore of it")
