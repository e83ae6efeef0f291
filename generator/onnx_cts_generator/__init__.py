"""Specs and reference turned into a suite: cases, values, models, files and the command line."""
