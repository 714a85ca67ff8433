"""Headway: from one-hot vectors to the KV cache, in code one can read.

Importing the package loads nothing but this line of text; each module brings in what it needs.
"""
