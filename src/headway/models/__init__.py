"""Whole models made of the parts: language model, masked model, translator, graph attention."""
