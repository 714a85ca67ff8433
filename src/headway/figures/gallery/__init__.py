"""The interactive figures, one folder each: its Python, its script and its style."""
