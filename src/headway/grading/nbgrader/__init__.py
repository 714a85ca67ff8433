"""Interfaces to nbgrader: the source and its releases, converters, the gradebook."""
