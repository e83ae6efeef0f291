"""ONNX's own node cases: written as files, and two such exports compared.

``export`` and what it imports need onnx and NumPy alone, so that they run under an older onnx than
the rest of the package asks for.
"""
