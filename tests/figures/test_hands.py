"""What figures share for hands and eyes: grids, handles, charts, and addresses."""

import numpy as np
import pytest

from tests.figures.node import Cases

CASES = Cases()
of_grid, of_handles, of_chart, of_address = (
    CASES.of(f"core/{name}") for name in ("grid", "handles", "chart", "address")
)
KEYS = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End", "Enter"]
LEADS = "keys.map((key) => moved({ key, preventDefault() {} }, place, sizes))"
for name, place, sizes, to in [
    ("in a grid", [1, 1], [3, 4], [[0, 1], [2, 1], [1, 0], [1, 2], [1, 0], [1, 3], None]),
    ("at an edge", [0, 0], [2, 2], [[0, 0], [1, 0], [0, 0], [0, 1], [0, 0], [0, 1], None]),
    ("in a row", [0, 1], [1, 4], [None, None, [0, 0], [0, 2], [0, 0], [0, 3], None]),
    ("in a list", [1, 0], [4, 1], [[0, 0], [2, 0], None, None, [0, 0], [3, 0], None]),
]:  # fmt: skip
    of_grid(f"where keys lead {name}", LEADS, to, keys=KEYS, place=place, sizes=sizes)
of_grid(
    "a key with Ctrl is the browser's", "moved({ key: 'End', ctrlKey: true }, [0, 0], [2, 2])", None
)

STOPS = "keys.map((key) => stopAfter({ key }, at, 40)).map((stop) => stop ?? null)"
STOP_KEYS = ["ArrowRight", "ArrowDown", "PageUp", "PageDown", "Home", "End", "a"]
of_handles(
    "where keys lead along the stops", STOPS, [4, 2, 7, 0, 0, 40, None], keys=STOP_KEYS, at=3
)
of_handles("nothing leads over the last stop", STOPS, [40, 39, 40, 36, 0, 40, None],
           keys=STOP_KEYS, at=40)  # fmt: skip
of_handles(
    "the nearest of some numbers, of two the first",
    "[0, 14, 5].map((x) => nearest([1, 9, 20], x))",
    [0, 1, 0],
)

VALUES = np.array([1.0, 3.0, 50.0, 100.0])
of_chart(
    "a scale in proportion",
    "values.map(scale([1, 100], [0, 10]))",
    10 * (VALUES - 1) / 99,
    values=VALUES,
)
of_chart(
    "a scale of logarithms, upwards",
    "values.map(scale([1, 100], [10, 0], true))",
    10 - 5 * np.log10(VALUES),
    values=VALUES,
)
for span, most, log, marks in [
    ([0, 20000], 5, False, [0, 5000, 10000, 15000, 20000]),
    ([0, 0.00148], 6, False, [0, 0.0005, 0.001]),
    ([-0.3, 1.1], 6, False, [0, 0.5, 1]),
    ([1, 1000], 6, True, [1, 10, 100, 1000]),
    ([30, 4e9], 5, True, [100, 10_000, 1_000_000, 100_000_000]),
]:
    of_chart(
        f"round marks in {span}", "ticks(span, most, log)", marks, span=span, most=most, log=log
    )
of_chart("powers of ten", "[0.01, 1, 100, 1e3, 1e12, 1e-4].map(spellPower)",
         ["0.01", "1", "100", "10³", "10¹²", "10⁻⁴"])  # fmt: skip
of_chart("a line through points", "lineThrough([[0, 1], [2.25, 3]])", "M0.0 1.0L2.3 3.0")

FIELDS = (
    "{ row: whole(3), size: whole(2, 1), share: between(0, 1), on: flag,"
    " text: textUpTo(9), mask: bits(3) }"
)
READ = f"valuesIn(query, 'bars', {FIELDS})"
SET = {"row": 2, "size": 2, "share": 0.25, "on": True, "text": "a & b", "mask": [True, False, True]}
of_address(
    "an address brings back what a reader has set",
    READ,
    SET,
    query="?x=1&bars.row=2&bars.size=2&bars.share=0.25&bars.on=1&bars.text=a+%26+b&bars.mask=101",
)
of_address(
    "what cannot be is left out",
    f"bad.map((query) => {READ})",
    [{}] * 14,
    bad=[
        *("", "?bars.row=3", "?bars.row=-1", "?bars.row=1.5", "?bars.row=", "?bars.row=NaN"),
        *(
            "?bars.size=0",
            "?bars.share=2",
            "?bars.share= ",
            "?bars.on=yes",
            "?bars.text=0123456789",
        ),
        *("?bars.mask=10", "?bars.mask=102", "?bars-2.row=1"),
    ],
)
of_address(
    "other values stay, and the figure's own are new and last",
    "queryWith('?q=a&bars.row=1&bars.old=2&bars-2.row=1', 'bars', values)",
    "?q=a&bars-2.row=1&bars.row=2&bars.on=0&bars.share=0.333&bars.mask=101&bars.text=a+%26+b",
    values={"row": 2, "on": False, "share": 1 / 3, "mask": [True, False, True], "text": "a & b"},
)
of_address(
    "what is written is read again",
    f"((query) => {READ})(queryWith('', 'bars', values))",
    SET,
    values=SET,
)


@pytest.mark.parametrize("name", CASES)
def test_a_script_does_what_it_should(answers, name):
    CASES[name].check(answers[name])
