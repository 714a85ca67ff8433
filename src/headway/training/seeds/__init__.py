"""What training finds from many starts: one experiment, run once for each of ten seeds.

    def trial(seed):                    # trains a model from this seed; numbers by name
        …
        return {"one head": 0.52, "four heads": 0.98}

    found = over_seeds("09-heads", trial)      # {"one head": (10,), "four heads": (10,)}

Ten trials take minutes, so their numbers lie beside this module, in NAME.json, with a fingerprint
of the code that made them: the trial, and what it uses of the page's own functions and classes.
When this code has changed, the numbers are no longer its own and are refused.
`tools/over-seeds 09` runs a page's trials and writes them; the full run of the tests repeats them.
"""

import ast
import hashlib
import inspect
import json
import linecache
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np

SEEDS = range(10)
FOLDER = Path(__file__).parent
WRITE_TO = "HEADWAY_SEEDS"  # names a folder: trials are run, and what they find is written there

Trial = Callable[[int], dict[str, float]]


class StaleRecordError(RuntimeError):
    """There is no record of these trials, or other code made it; the message says what to do."""


def over_seeds(name: str, trial: Trial) -> dict[str, np.ndarray]:
    """What a trial finds from each of ten seeds, as it was recorded.

    Args:
        name: of the record, "09-heads"; it begins with the number of its page.
        trial: (seed) → numbers by name, the same names for all seeds.

    Returns:
        (10,) float64 for each name.

    Raises:
        StaleRecordError: if nothing is recorded under this name, or other code made the record.
    """
    made_by, path = fingerprint(trial), Path(os.environ.get(WRITE_TO, FOLDER)) / f"{name}.json"
    if WRITE_TO in os.environ:
        trials = [trial(seed) for seed in SEEDS]
        found = {key: [round(float(each[key]), 4) for each in trials] for key in trials[0]}
        write_record(path, made_by, found)
    record = read_record(path)
    if record["made_by"] != made_by:
        raise StaleRecordError(
            f"What is recorded under {name!r} was found by other code than the page's. "
            f"Run `tools/over-seeds {name[:2]}` to record it anew."
        )
    return {key: np.array(values) for key, values in record["found"].items()}


def in_words(values: np.ndarray, form: str = ".0%") -> str:
    """A distribution in a few words, "52% to 100%, median 98%".

    Args:
        values: (n,).
        form: how a number is written.
    """
    low, middle, high = np.quantile(values, [0, 0.5, 1])
    return f"{low:{form}} to {high:{form}}, median {middle:{form}}"


def read_record(path: Path) -> dict:
    """A record's `made_by` and `found`.

    Raises:
        StaleRecordError: if there is none.
    """
    if not path.is_file():
        raise StaleRecordError(
            f"Nothing is recorded under {path.stem!r}. "
            f"Run `tools/over-seeds {path.stem[:2]}` to record it."
        )
    return json.loads(path.read_text(encoding="utf-8"))


def write_record(path: Path, made_by: str, found: dict[str, list[float]]) -> None:
    """Write a record, a line for each name, so that a diff shows what has changed."""
    lines = ",\n".join(f"    {json.dumps(key)}: {json.dumps(found[key])}" for key in found)
    path.write_text(
        f'{{\n  "made_by": "{made_by}",\n  "found": {{\n{lines}\n  }}\n}}\n', encoding="utf-8"
    )


def fingerprint(trial: Callable) -> str:
    """A hash over a function and all functions and classes of its module that it uses.

    Comments and line breaks do not count.
    """
    waiting, definitions = [trial], {}
    while waiting:
        part = waiting.pop()
        definitions[part.__name__] = node = definition(part)
        used = {leaf.id for leaf in ast.walk(node) if isinstance(leaf, ast.Name)}
        waiting += [
            other
            for name in used - definitions.keys()
            if (inspect.isfunction(other := trial.__globals__.get(name)) or inspect.isclass(other))
            and other.__module__ == trial.__module__
        ]
    code = "\n".join(ast.unparse(definitions[name]) for name in sorted(definitions))
    return hashlib.sha256(code.encode()).hexdigest()[:16]


def definition(part: Callable) -> ast.AST:
    """The syntax tree of a function's or a class's definition, in a module or in a cell."""
    function = part
    if inspect.isclass(part):  # A cell's class has no source, but each of its methods has.
        function = next(member for member in vars(part).values() if inspect.isfunction(member))
    source = "".join(linecache.getlines(inspect.unwrap(function).__code__.co_filename))
    return next(
        node
        for node in ast.walk(ast.parse(source))
        if getattr(node, "name", None) == part.__name__
        and isinstance(node, ast.FunctionDef | ast.ClassDef)
    )
