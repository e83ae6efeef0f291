"""Sweeps: whole domains of inputs, as large tensors through one model, each element checked."""
