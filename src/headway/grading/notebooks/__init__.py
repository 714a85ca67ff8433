"""Notebooks as data: their cells, the checks in them, and the verdicts that checks left."""
