"""Notebooks as data: their cells, their checks, and the verdicts in the checks' outputs."""
