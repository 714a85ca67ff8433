"""The figures of chapter 10: the river's numbers add up, and each way to build a block is told."""

import re
from dataclasses import replace

import numpy as np
import pytest

from headway.figures.gallery.block.block_switches import Measure, block_switches
from headway.figures.gallery.block.river import WIDE, River, river
from tests.figures.node import Cases
from tests.figures.shown import assert_on_page, assert_whole, part, texts

rng = np.random.default_rng(0)
FLOW = River(
    name="purse: in the tin",
    row=rng.normal(size=6),
    updates=2 * rng.normal(size=(4, 6)),
    looks=[("tin: in the trunk", 0.9), ("trunk: in the attic", 0.7)],
    knows=[("tin", 1), ("trunk", 2), ("attic", 3)],
)
VALUES = np.exp(rng.normal(size=(2, 3, 2, 5)))


def drawn(**changes):
    return river(replace(FLOW, **changes), "A river", "Play.")


def switches(values=VALUES, log=True, activations=("ReLU", "none"), start=(0, 1, 0), count=1):
    return block_switches([Measure("gradient", values, log)] * count, activations, "T", "C", start)


def ends(band):
    """How wide a piece of the river is at its upper and at its lower end."""
    x = [float(number) for number in re.findall(r"[\d.]+", band)][::2]
    return x[1] - x[0], x[4] - x[5]


def test_each_block_reads_twice_and_adds_twice_and_its_gauge_tells_what_the_row_knows():
    figure = drawn()
    assert_whole(figure)
    assert {"knows “tin”", "1 step on"} <= set(texts(part(figure, 1)))
    for block, (whom, (name, _)) in enumerate(zip(FLOW.looks, FLOW.knows[1:], strict=True)):
        attends, thinks = (texts(part(figure, step + 2 * block)) for step in (2, 3))
        assert {"norm", "attention", "+"} <= set(attends)
        assert f"looks at “{whom[0]}” ({whom[1]:.0%})" in " ".join(attends)
        assert "feed-forward" in thinks
        assert f"knows “{name}”" in thinks
    assert texts(part(figure, 6)) == ["attic"]


def test_the_river_is_as_wide_as_the_row_is_long_and_what_joins_it_as_its_update():
    rows = FLOW.row + np.concatenate([np.zeros((1, 6)), FLOW.updates.cumsum(axis=0)])
    size, joins = np.linalg.norm(rows, axis=1), np.linalg.norm(FLOW.updates, axis=1)
    scale = WIDE.widest / max(size.max(), joins.max())
    for number in range(4):
        paths = list(part(drawn(), 2 + number).iter("path"))
        bands = [one.get("d") for one in paths if one.get("class") == "hw-band hw-of-residual"]
        upper, lower = zip(*map(ends, bands), strict=True)
        before, after = size[number : number + 2] * scale
        np.testing.assert_allclose(upper, [before, before, after], atol=0.2)
        np.testing.assert_allclose(lower, [before, after, after], atol=0.2)
        tone = "ink" if number % 2 else "value"
        (joining,) = [one for one in paths if one.get("class") == f"hw-band hw-of-{tone}"]
        y = [float(y) for y in re.findall(r"[\d.]+", joining.get("d"))][1::2]
        assert max(y) - min(y) == pytest.approx(joins[number] * scale, abs=0.2)


def test_the_sentences_and_the_table_of_the_river_tell_the_same():
    figure = drawn()
    assert "looks at “tin: in the trunk” with 90% of a head’s weight" in figure.data["steps"][1]
    assert "the row knows “trunk”, 2 steps on" in figure.data["steps"][2]
    assert figure.rows[1][0] == "after the attention of block 1"
    assert figure.rows[5][0] == "added by the attention of block 1"
    assert figure.rows[5][2] == f"{np.linalg.norm(FLOW.updates[0]):.1f}"


def test_every_way_to_assemble_the_block_has_its_row_and_its_curve():
    figure = switches()
    assert_on_page(figure)
    assert len(figure.rows) == 2 * 3 * 2
    assert figure.rows[0][0] == "with skip connections, norm before, activation ReLU"
    assert figure.rows[-1][0] == "without skip connections, no norm, activation none"
    assert figure.rows[-1][1:] == [f"{VALUES[1, 2, 1, depth]:.2g}" for depth in (0, 2, 4)]
    np.testing.assert_allclose(figure.data["measures"][0]["values"], VALUES, rtol=1e-3)
    first, last = VALUES[0, 1, 0, [0, -1]]
    assert figure.alt == (
        "gradient, with skip connections, norm after, activation ReLU: "
        f"{first:.2g} before the first block, {last:.2g} after block 4."
    )
    below_zero = switches(VALUES - VALUES.max(), log=False)
    assert below_zero.data["measures"][0]["log"] is False


@pytest.mark.parametrize(
    ("make", "changes", "says"),
    [
        (drawn, {"knows": FLOW.knows[:2]}, "2 blocks need a row, updates and what is known"),
        (drawn, {"row": FLOW.row[:3], "updates": FLOW.updates[:, :3]}, "4 numbers at least"),
        (drawn, {"looks": [], "updates": np.zeros((0, 6)), "knows": FLOW.knows[:1]}, "can read"),
        (switches, {"count": 0}, "a measure"),
        (switches, {"values": VALUES[:1]}, "(2, 3, 2, 'L + 1')"),
        (switches, {"values": VALUES - VALUES.max()}, "positive"),
        (switches, {"values": VALUES * np.inf, "log": False}, "finite"),
        (switches, {"start": (0, 3, 0)}, "does not exist"),
        (switches, {"start": (-1, 0, 0)}, "does not exist"),
    ],
)
def test_what_makes_no_sense_is_refused(make, changes, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        make(**changes)


CASES = Cases()
of_switches = CASES.of("block_switches")
of_switches(
    "the parts of a sub-layer, from left to right",
    "[partsOf(0, 0, 'f'), partsOf(0, 1, 'f'), partsOf(1, 1, 'f'), partsOf(1, 2, 'f')]",
    [["norm", "f", "+"], ["f", "+", "norm"], ["f", "norm"], ["f"]],
)
of_switches(
    "the axis of powers holds all curves between two of them",
    "limits([[[[3, 40]], [[0.5, 2]]]], true)",
    [0.1, 100],
)
of_switches(
    "a straight axis begins at zero, or below where a number does",
    "[limits([[[[1, 4]]]], false), limits([[[[-1, 4]]]], false)]",
    [[0, 4], [-1, 4]],
)


@pytest.mark.parametrize("name", CASES)
def test_a_script_computes_what_it_should(answers, name):
    CASES[name].check(answers[name])
