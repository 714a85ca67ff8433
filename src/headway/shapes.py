"""Shapes that do not fit: one error for the whole subject, which names both shapes."""


class ShapeError(ValueError):
    """Arrays whose shapes do not fit each other; the message names both and the usual cause."""
