"""What training finds from many starts: one experiment, run once for each of ten seeds.

    def trial(seed):                    # trains a model from this seed; numbers by name
        …
        return {"one head": 0.52, "four heads": 0.98}

    found = recorded_trials("09-crossing", trial)   # {"one head": (10,), "four heads": (10,)}

Ten trials take minutes, so their numbers lie beside this module, in NAME.json, with a fingerprint
of the code that made them: the trial, and what it uses of the page's own functions and classes.
When this code has changed, the numbers are no longer its own and are refused.
`tools/record-trials 09` runs a page's trials and writes them; the tests' full run repeats them.
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
WRITE_TO = "HEADWAY_TRIALS"  # names a folder: trials are run, and what they find is written there

Trial = Callable[[int], dict[str, float]]


class StaleRecordError(RuntimeError):
    """There is no record of these trials, or other code made it; the message says what to do."""


def recorded_trials(name: str, trial: Trial) -> dict[str, np.ndarray]:
    """What a trial finds from each of ten seeds, as it was recorded.

    Args:
        name: of the record, "09-crossing"; it begins with the number of its page.
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
            f"Run `tools/record-trials {name[:2]}` to record it anew."
        )
    return {key: np.array(values) for key, values in record["found"].items()}


def in_words(values: np.ndarray, form: str = ".0%") -> str:
    """A distribution in a few words, "52% to 100%, median 98%".

    Args:
        values: (n,).
        form: how a number is written.
    """
    low, middle, high = np.quantile(values, [0, 0.5, 1])
    words = f"{low:{form}} to {high:{form}}, median {middle:{form}}"
    return words.replace("-", "−")


def read_record(path: Path) -> dict:
    """A record's `made_by` and `found`.

    Raises:
        StaleRecordError: if there is none.
    """
    if not path.is_file():
        raise StaleRecordError(
            f"Nothing is recorded under {path.stem!r}. "
            f"Run `tools/record-trials {path.stem[:2]}` to record it."
        )
    return json.loads(path.read_text(encoding="utf-8"))


def write_record(path: Path, made_by: str, found: dict[str, list[float]]) -> None:
    """Write a record, a line for each name, so that a diff shows what has changed."""
    lines = ",\n".join(
        f"    {json.dumps(key, ensure_ascii=False)}: {json.dumps(values)}"
        for key, values in found.items()
    )
    path.write_text(
        f'{{\n  "made_by": "{made_by}",\n  "found": {{\n{lines}\n  }}\n}}\n', encoding="utf-8"
    )


def fingerprint(trial: Callable) -> str:
    """A hash over a function and all functions and classes of its module that it uses.

    Comments, indentation and empty lines do not count.
    """
    waiting, sources = [trial], {}
    while waiting:
        part = waiting.pop()
        sources[part.__name__] = source = source_of(part)
        used = {leaf.id for leaf in ast.walk(ast.parse(source)) if isinstance(leaf, ast.Name)}
        waiting += [
            other
            for name in used - sources.keys()
            if (inspect.isfunction(other := trial.__globals__.get(name)) or inspect.isclass(other))
            and other.__module__ == trial.__module__
        ]
    lines = (
        line.split("  #")[0].strip()
        for name in sorted(sources)
        for line in sources[name].splitlines()
        if not line.strip().startswith("#")
    )
    return hashlib.sha256("\n".join(filter(None, lines)).encode()).hexdigest()[:16]


def source_of(part: Callable) -> str:
    """The source of a function or a class at the top level of a module or of a page's cell."""
    function = part
    if inspect.isclass(part):  # A cell's class has no source, but each of its methods has.
        function = next(member for member in vars(part).values() if inspect.isfunction(member))
    lines = linecache.getlines(inspect.unwrap(function).__code__.co_filename)
    node = next(
        node
        for node in ast.parse("".join(lines)).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == part.__name__
    )
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    return "".join(lines[first - 1 : node.end_lineno])
