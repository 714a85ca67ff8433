"""The drawing of the river: its numbers add up, and it is as wide as they say."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from headway.figures.gallery.river import CELL, SHOWN, WIDEST, River, river

rng = np.random.default_rng(0)
FLOW = River(
    name="purse: in the tin",
    row=rng.normal(size=6),
    updates=2 * rng.normal(size=(4, 6)),
    looks=[("tin: in the trunk", 0.9), ("trunk: in the attic", 0.7)],
    knows=[("tin", 1), ("trunk", 2), ("attic", 3)],
)


def drawn(flow=FLOW):
    return ElementTree.fromstring(river(flow, "A river", "Play.").drawing)


def step(number):
    (group,) = [g for g in drawn().iter("g") if g.get("data-step") == str(number)]
    return group


def printed(group):
    """The rows of numbers of a step."""
    cells = [g for g in group.iter("g") if "hw-of-" in (g.get("class") or "")]
    return [[float(t.text.replace("−", "-")) for t in g.iter("text")] for g in cells]


def widths(band):
    """How wide a piece of the river is at its upper and at its lower end."""
    x = [float(number) for number in re.findall(r"[\d.]+", band)][::2]
    return x[1] - x[0], x[4] - x[5]


def test_each_sub_layer_shows_what_it_adds_and_each_block_what_that_makes_of_the_row():
    (row,) = printed(step(1))
    for block in range(2):
        (found,) = printed(step(2 + 2 * block))
        thought, after = printed(step(3 + 2 * block))
        np.testing.assert_allclose(found, FLOW.updates[2 * block, :SHOWN], atol=0.05)
        np.testing.assert_allclose(thought, FLOW.updates[2 * block + 1, :SHOWN], atol=0.05)
        np.testing.assert_allclose(np.sum([row, found, thought], axis=0), after, atol=0.2 + 1e-6)
        row = after
    whole = FLOW.row + FLOW.updates.sum(axis=0)
    np.testing.assert_allclose(row, whole[:SHOWN], atol=0.05 + 1e-6)


def test_the_river_is_as_wide_as_the_row_is_long_and_what_joins_it_as_its_update():
    rows = FLOW.row + np.concatenate([np.zeros((1, 6)), FLOW.updates.cumsum(axis=0)])
    size, joins = np.linalg.norm(rows, axis=1), np.linalg.norm(FLOW.updates, axis=1)
    scale = WIDEST / max(size.max(), joins.max())
    for number in range(4):
        group = step(2 + number)
        bands = [p.get("d") for p in group.iter("path") if "hw-band" in p.get("class")]
        tops, ends = zip(*map(widths, bands), strict=True)
        before, after = size[number : number + 2] * scale
        np.testing.assert_allclose([*tops, *ends], [before, before, before, after], atol=0.2)
        (flow,) = [p for p in group.iter("path") if "hw-stream" in p.get("class")]
        assert float(flow.get("stroke-width")) == pytest.approx(joins[number] * scale, abs=0.06)
    assert SHOWN * CELL < WIDEST


def test_the_sentences_and_the_table_tell_the_same():
    figure = river(FLOW, "A river", "Play.")
    assert len(figure.data["steps"]) == 6
    assert "looks at “tin: in the trunk” with 90% of a head’s weight" in figure.data["steps"][1]
    assert "the row knows “trunk”, 2 steps on" in figure.data["steps"][2]
    assert figure.data["steps"][-1].endswith("4 times something was added.")
    assert [row[0] for row in figure.rows][:3] == [
        "before block 1",
        "after the attention of block 1",
        "after the feed-forward of block 1",
    ]
    assert figure.rows[5][0] == "added by the attention of block 1"
    assert figure.rows[5][2] == f"{np.linalg.norm(FLOW.updates[0]):.1f}"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"updates": FLOW.updates[:3]}, "2 blocks need a row, updates and what is known"),
        ({"knows": FLOW.knows[:2]}, "2 blocks need"),
        ({"row": FLOW.row[:3], "updates": FLOW.updates[:, :3]}, "rows of 4 numbers at least"),
        ({"looks": [], "updates": np.zeros((0, 6)), "knows": FLOW.knows[:1]}, "one can read"),
    ],
)
def test_what_cannot_be_drawn_is_refused(change, says):
    with pytest.raises(ValueError, match=says):
        river(replace(FLOW, **change), "A river", "Play.")
