"""Weights of Hugging Face models in ours: one module for each architecture that agrees.

Only tensors are read, from a state dict; the `transformers` package is not needed.
"""
