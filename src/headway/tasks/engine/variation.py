"""Vary an assignment: other numbers in *predict*, other faults in *debug*, drawn from a seed.

A chapter's module `variants` has a tuple `VARIANTS` of functions, in the notebook's order. Each
draws its numbers from a random generator and returns its changes: for some cells, by nbgrader's
`grade_id`, the texts to replace. It changes the question and the solution together:

    {
        "ask-dot": [("$[5, x, -1]$", "$[4, x, -1]$")],
        "dot": [("2 * 5 + 4 * -1", "2 * 4 + 4 * -1")],
    }
"""

from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from headway.tasks.engine.find import module_of

Replacement = tuple[str, str]  # text that stands exactly once in the cell, and what replaces it
Changes = dict[str, list[Replacement]]  # by the cell's grade_id
Variant = Callable[[np.random.Generator], Changes]


def variants_of(assignment: str) -> tuple[Variant, ...]:
    """The variants of an assignment's tasks; empty if it has none."""
    chapter = module_of(assignment)
    name = f"{chapter.__name__}.variants" if chapter else ""
    return import_module(name).VARIANTS if name and find_spec(name) else ()


def vary(notebook: Any, assignment: str, seed: int) -> None:
    """Vary a notebook with its solution, in place.

    Args:
        notebook: the assignment as nbformat reads it, as it is in the package.
        assignment: "01-one-hot".
        seed: the same seed gives the same notebook.

    Raises:
        ValueError: if a cell lacks a text that a variant replaces; the notebook stays as it was.
    """
    apply_changes(
        notebook,
        [
            variant(np.random.default_rng((seed, place, *assignment.encode())))
            for place, variant in enumerate(variants_of(assignment))
        ],
    )


def apply_changes(notebook: Any, changes: Iterable[Changes]) -> None:
    """Replace texts in a notebook's cells, all at once: no text is searched in a replacement.

    Raises:
        ValueError: if there is no such cell, it doesn't have a text exactly once, or two texts
            overlap; the notebook stays as it was.
    """
    cells = {cell.metadata.get("nbgrader", {}).get("grade_id"): cell for cell in notebook.cells}
    wanted: dict[str, list[Replacement]] = {}
    for change in changes:
        for name, replacements in change.items():
            wanted.setdefault(name, []).extend(replacements)
    if unknown := wanted.keys() - cells.keys():
        raise ValueError(f"The notebook has no cell {sorted(unknown)[0]!r} to change.")
    changed = {name: _replaced(name, cells[name].source, wanted[name]) for name in wanted}
    for name, source in changed.items():
        cells[name].source = source


def _replaced(name: str, source: str, replacements: Sequence[Replacement]) -> str:
    places = []
    for old, new in replacements:
        start = source.find(old)
        if not old or start < 0 or source.find(old, start + 1) >= 0:
            found = source.count(old) if old else 0
            raise ValueError(
                f"Expected the text {old!r} exactly once in the cell {name!r}, but it is there "
                f"{found} times."
            )
        places.append((start, start + len(old), new))
    parts, done = [], 0
    for start, end, new in sorted(places):
        if start < done:
            raise ValueError(
                f"Two texts to replace overlap in the cell {name!r}, at {source[start:end]!r}."
            )
        parts += [source[done:start], new]
        done = end
    return "".join([*parts, source[done:]])
