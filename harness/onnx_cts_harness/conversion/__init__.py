"""Send cases through ``onnx.version_converter`` before a backend gets them.

``version_converter`` is the side of the worker, in a process of its own; ``converter`` hands it
models, and ``judging`` says what the converted model and what a backend makes of it show.
"""
