"""Right answers to assignment 20 that are written in other ways than the reference.

The Transformer of the notebook's solution is another; `test_capstone.py` holds it to the task.
"""

from collections import OrderedDict

import numpy as np
import torch

from headway.tasks.chapters.capstone import counting


def fit_backwards(text, seed):
    """The same numbers, the last first, and not in a plain dictionary."""
    return OrderedDict(reversed(counting.fit(text, seed).items()))


def predict_one_by_one(numbers, seen):
    """A row at a time, joined in Fortran's order, in more digits than float64 has."""
    rows = [counting.predict(dict(numbers), row[None])[0] for row in seen]
    return np.asfortranarray(rows, dtype=np.longdouble)


class Counts:
    """Two methods; what they give are tensors, and the probabilities are float32."""

    def fit(self, text, seed):
        numbers = counting.fit(text, seed)
        return {name: torch.nn.Parameter(torch.from_numpy(x)) for name, x in numbers.items()}

    def predict(self, numbers, seen):
        return torch.from_numpy(counting.predict(numbers, seen)).float()


torch_counts = Counts()

VARIANTS = {
    "20-capstone/model": {
        "one text at a time, numbers backwards": (fit_backwards, predict_one_by_one),
        "tensors, and methods of an object": (torch_counts.fit, torch_counts.predict),
    }
}
