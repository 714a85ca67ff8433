"""The drawing of chapter 15: its numbers are the model's, each step has its part, bad ones fail."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from headway.figures.gallery.cache_rows import Cached, cache_rows

rng = np.random.default_rng(0)
CACHED = Cached(
    words=["<start>", "the", "owl", "in", "it", "hoots", "."],
    prompt=2,
    keys=rng.normal(size=(7, 3)),
    values=rng.normal(size=(7, 3)),
    asks=5,
    query=np.array([7.1, -7.2, 7.3]),
    weights=np.array([0.01, 0.04, 0.8, 0.05, 0.04, 0.06]),
    mixed=np.array([8.1, -8.2, 8.3]),
    next=("loudly", 0.75),
)


def svg_of(cached=CACHED):
    return ElementTree.fromstring(cache_rows(cached, "It fills", "Play.").drawing)


def texts(svg) -> list[str]:
    return [one.text for one in svg.iter("text")]


def part(svg, step: int):
    """What belongs to a step."""
    return next(group for group in svg.iter("g") if group.get("data-step") == str(step))


def minus(x: float) -> str:
    return f"{x + 0.0:.1f}".replace("-", "−").replace("−0.0", "0.0")


def test_each_word_brings_its_own_key_and_value_and_no_other():
    svg = svg_of()
    first = [t for t in texts(part(svg, 1)) if t in CACHED.words]
    assert first == ["<start>", "the"]
    for step, t in zip((2, 3, 4, 5, 8), range(2, 7), strict=True):
        shown = texts(part(svg, step))
        assert [word for word in shown if word in CACHED.words] == [CACHED.words[t]]
        numbers = [minus(round(x, 1)) for x in (*CACHED.keys[t], *CACHED.values[t])]
        assert shown[1:7] == numbers


def test_the_query_asks_once_and_the_values_are_mixed():
    svg = svg_of()
    asks = texts(part(svg, 6))
    assert {"hoots", "7.1", "−7.2", "7.3", "0.80"} <= set(asks)
    assert sum("7.1" in text for text in texts(svg)) == 1
    mixed = texts(part(svg, 7))
    assert {"8.1", "−8.2", "8.3", "→ loudly, 75%"} <= set(mixed)
    widths = [
        float(one.get("stroke-width"))
        for one in part(svg, 7).iter("path")
        if "hw-of-value" in one.get("class")
    ]
    wanted = [max(0.8, 10 * w) for w in CACHED.weights if w >= 0.02]
    np.testing.assert_allclose(widths, wanted, atol=0.06)


def test_full_and_hollow_squares_count_the_rows_computed():
    svg = svg_of()
    for step, length, new, kept, again in (
        (1, 2, 2, 2, 2), (2, 3, 1, 3, 5), (5, 6, 1, 6, 20), (8, 7, 1, 7, 27),
    ):  # fmt: skip
        group = part(svg, step)
        full = [r for r in group.iter("rect") if "hw-column" in r.get("class")]
        hollow = [r for r in group.iter("rect") if "hw-box" in r.get("class")]
        assert (len(full), len(hollow)) == (new, length - new)
        assert texts(group)[-2:] == [str(kept), str(again)]
    assert "7 with the cache, 27 without" in cache_rows(CACHED, "A", "B.").alt


def test_a_drawing_is_whole_without_scripts_and_has_a_part_for_each_step():
    figure, svg = cache_rows(CACHED, "A", "B."), svg_of()
    steps = [int(group.get("data-step")) for group in svg.iter("g") if group.get("data-step")]
    assert sorted(set(steps)) == list(range(1, len(figure.data["steps"]) + 1))
    assert "hidden" not in re.sub(r">[^<]*<", "><", figure.drawing)
    assert "“owl” fits best, with a weight of 0.80" in figure.data["steps"][5]
    assert [row[3] for row in figure.rows][-2:] == ["0.06", "not there yet"]
    width, height = map(float, svg.get("viewBox").split()[2:])
    for one in svg.iter("text"):
        assert 0 <= float(one.get("x")) <= width
        assert 0 <= float(one.get("y")) <= height


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"keys": np.ones((6, 3))}, "need keys and values"),
        ({"values": np.ones((7, 2))}, "need keys and values"),
        ({"weights": np.ones(7)}, "6 weights"),
        ({"mixed": np.ones(4)}, "3 mixed numbers"),
        ({"prompt": 0}, "after the prompt"),
        ({"prompt": 6}, "after the prompt"),
        ({"words": ["a"] * 13, "keys": np.ones((13, 3)), "values": np.ones((13, 3))},
         "up to 12 words"),
        ({"keys": np.ones((7, 9)), "values": np.ones((7, 9)), "query": np.ones(9),
          "mixed": np.ones(9)}, "of 8 numbers"),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_is_refused(changes, says):
    with pytest.raises(ValueError, match=says):
        cache_rows(replace(CACHED, **changes), "A", "B.")
