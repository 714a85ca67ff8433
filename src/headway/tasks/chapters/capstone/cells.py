"""Cells that are wrong whatever their model is worth."""

from headway.tasks.engine.unseen_text.cell import Cell

ANY_CELL = """
import numpy as np

KEPT = {}

def fit(text, seed):
    KEPT["shares"] = (np.bincount(text, minlength=256) + 1) / (len(text) + 256)
    return {"shares": KEPT["shares"].astype(np.float32)}

def predict(numbers, seen):
    return np.repeat(numbers["shares"][None].astype(float), len(seen), axis=0)

model = fit, predict
"""


def cell(at: str, becomes: str) -> Cell:
    """A cell that knows how often each byte comes, with something else in one place of it."""
    elsewhere = frozenset({"np", "all_shares"})
    return Cell(ANY_CELL.replace(at, becomes), elsewhere=elsewhere.__contains__)
