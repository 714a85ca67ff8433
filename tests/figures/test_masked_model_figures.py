"""The figures of chapter 12: their numbers are the models', and what makes no sense is refused."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
import torch
from torch import nn

from headway.figures.gallery.masked_model.both_sides import Looked, both_sides
from headway.figures.gallery.masked_model.fill_in import Filler, fill_in
from headway.figures.gallery.masked_model.patch_reach import patch_reach, reach, seen
from headway.figures.gallery.masked_model.sense_layers import Mentions, sense_layers
from headway.figures.gallery.masked_model.unblanking import Fill, unblanking
from headway.models.patches import ImageConfig, ImageModel
from tests.figures.node import Cases, normal
from tests.figures.shown import assert_on_page, assert_whole, part, svg_of, texts, widths

LOOKED = Looked(
    words=["she", "saw", "the", "_", "by", "it"],
    blank=3,
    left=np.array([0.5, 0.3, 0.2]),
    both=np.array([0.1, 0.02, 0.08, 0.1, 0.2, 0.5]),
    guesses=[("bat", 0.3), ("bank", 0.26)],
    answers=[("bank", 0.9), ("bat", 0.04)],
)
FILLS = [Fill(1, "owl", 0.25), Fill(0, "the", 0.5), Fill(2, "flew", 1.0)]
WORDS = ["[CLS]", "[MASK]", "[SEP]", "the", "owl", "sleeps"]
FILLER = Filler({"vocabulary": 6}, {"table": np.ones((6, 2))}, WORDS, WORDS[:3], 1)
LIKELY = [[("owl", 0.75), ("the", 0.125)]]
MENTIONS = Mentions(
    *("bank", ("shore", "money"), ["b c", "c d", "d e", "e f"], np.array([0, 1, 1, 0])),
    *(normal(2, 4, 5), [0.5, 0.875]),
)


def look(**changes):
    return both_sides(replace(LOOKED, **changes), "It looks", "Play.")


def write(fills):
    return unblanking(fills, "It writes", "Play.")


def filled(
    likely=((("owl", 0.75), ("the", 0.125)),), examples=("the _ sleeps", "_ owl"), **changes
):
    return fill_in(replace(FILLER, **changes), likely, examples, "It fills", "Hide a word.")


def sensed(*others, **changes):
    return sense_layers([replace(MENTIONS, **changes), *others], "They part", "Move the slider.")


def seeing(image=np.eye(4), patch=2, layers=2, place=0):  # noqa: B008
    return patch_reach(image, patch, layers, place, "It sees", "Add layers.")


def test_lines_are_as_thick_as_the_weights_of_both_models_which_say_how_sure_they_are():
    figure = look()
    assert_whole(figure)
    wanted = 16 * np.array([*LOOKED.left[:2], *np.delete(LOOKED.both, 3)])
    np.testing.assert_allclose(widths(svg_of(figure), "value"), np.maximum(0.8, wanted), atol=0.06)
    assert {"bat", "bank", "30%", "26%", "90%", "4%", "50%"} <= set(texts(svg_of(figure)))
    steps = figure.data["steps"]
    assert "“bat”, with 30%" in steps[2]
    assert "“it”; 70% of its weight" in steps[4]
    assert "“bank”, with 90%" in steps[5]


def test_a_row_for_each_pass_has_the_words_so_far():
    figure = write(FILLS)
    assert_whole(figure)
    assert [texts(part(figure, step)) for step in range(1, 5)] == [
        ["blanks"],
        ["pass 1", "owl", "25%"],
        ["pass 2", "the", "owl", "50%"],
        ["pass 3", "the", "owl", "flew", "100%"],
    ]
    column = ElementTree.fromstring(figure.upright)
    assert texts(column) == [
        "owl",
        "pass 1",
        "25%",
        "the",
        "pass 2",
        "50%",
        "flew",
        "pass 3",
        "100%",
    ]
    places = {one.text: float(one.get("y")) for one in column.iter("text")}
    assert places["the"] < places["owl"] < places["flew"], "in the order of the sentence"
    assert "the owl flew" in figure.alt


def test_a_filled_blank_is_told_with_its_place_and_its_words():
    figure = filled()
    assert_on_page(figure)
    assert "word 2: owl 0.75, the 0.125" in figure.alt
    assert figure.rows == [["word 2", "owl", "0.75"], ["word 2", "the", "0.125"]]
    assert figure.attached["model"]["config"] == {"vocabulary": 6, "tied": True}
    assert (figure.attached["mask"], figure.attached["specials"]) == (1, 3)


def test_each_layer_has_a_map_within_the_same_frame_and_its_share():
    figure = sensed()
    assert_on_page(figure)
    points = np.array(figure.data["words"][0]["points"])
    assert points.shape == (2, 4, 2)
    np.testing.assert_allclose(np.abs(points).max(axis=(1, 2)), 1)
    assert figure.data["start"] == 1
    assert "50% before the first layer, 88% after layer 1" in figure.alt
    assert figure.rows[1] == ["bank", "after layer 1", "88%"]


def sloped(output, images):
    """The pixels (h, w) that a number depends on."""
    (slopes,) = torch.autograd.grad(output, images)
    return (slopes[0, 0] != 0).numpy()


def framed(shape, *given):
    expected = np.zeros(shape, dtype=bool)
    expected[reach(shape, *given)] = True
    return expected


@pytest.mark.parametrize("place", [0, 5, 11])
def test_the_reach_is_where_models_have_slopes(place):
    shape, p, draw = (9, 12), 3, torch.Generator().manual_seed(0)
    images = torch.rand(1, 1, *shape, generator=draw).requires_grad_()
    for layers in (0, 1, 2):
        config = ImageConfig(image=(1, *shape), patch=p, width=8, heads=2, layers=layers)
        hidden = ImageModel(config, draw)(images)[0, 1 + place]
        found = sloped((hidden * torch.randn(8, generator=draw)).sum(), images)
        np.testing.assert_array_equal(found, framed(shape, p, place, layers, "attention"))
    y, x = p * (place // 4) + 1, p * (place % 4) + 1
    for layers in (1, 2, 4):
        stack = nn.Sequential(*(nn.Conv2d(1, 1, 3, padding=1) for _ in range(layers)))
        for layer in stack:
            nn.init.uniform_(layer.weight, 0.1, 0.2, generator=draw)
        found = sloped(stack(images)[0, 0, y, x], images)
        np.testing.assert_array_equal(found, framed(shape, p, place, layers, "convolution"))
        assert found.sum() == seen(shape, p, place, layers, "convolution")
    assert_on_page(seeing())


@pytest.mark.parametrize(
    ("make", "changes", "says"),
    [
        (look, {"left": np.ones(2)}, "needs weights"),
        (look, {"blank": 0, "left": np.ones(0)}, "needs weights"),
        (look, {"words": ["a"] * 15, "both": np.ones(15)}, "up to 14 words"),
        (write, {"fills": FILLS[:2] + FILLS[:1]}, "once each"),
        (write, {"fills": [Fill(i, "a", 1.0) for i in range(13)]}, "1 to 12 words"),
        (filled, {"words": WORDS[:-1]}, "5 words, the model has 6"),
        (filled, {"specials": ["[MASK]"]}, "must begin with"),
        (filled, {"examples": ["the owl sleeps"]}, "needs a blank"),
        (filled, {"likely": ()}, "needs a blank"),
        (filled, {"examples": ["the _ snores"]}, "does not know snores"),
        (filled, {"examples": ["the _ [SEP]"]}, "does not know [SEP]"),
        (sensed, {"vectors": np.ones((2, 3, 5))}, "need vectors"),
        (sensed, {"shares": [0.5]}, "2 layers need a share each"),
        (sensed, {"of": np.array([0, 1, 2, 0])}, "one of two senses"),
        (seeing, {"patch": 3}, "do not cover"),
        (seeing, {"image": 2 * np.eye(4)}, "gray values"),
        (seeing, {"layers": 0}, "must be a layer"),
        (seeing, {"place": 4}, "a place in 0 … 3, got 4"),
    ],
)
def test_what_makes_no_sense_is_refused(make, changes, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        make(**changes)


def test_words_of_models_with_different_depths_are_refused():
    with pytest.raises(ValueError, match="same number of layers"):
        sensed(replace(MENTIONS, vectors=normal(1, 4, 5), shares=[0.5]))


CASES = Cases()
of_fill, of_senses, of_reach = map(CASES.of, ("fill_in", "sense_layers", "patch_reach"))
KNOWN = {"words": WORDS[:5], "specials": 3, "mask": 1}
POINTS = [[0, 0], [1, 0], [0.9, 0.2]]
of_fill(
    "a typed sentence is words and blanks, without its marks",
    "wordsOf(' She noticed, the _ . ')",
    ["she", "noticed", "the", "_"],
)
of_fill(
    "words become ids, and a special symbol is no word to type",
    "[idsOf(['the', '_'], known), idsOf(['cat', '[CLS]'], known).unknown]",
    [{"ids": [3, 1], "unknown": []}, ["cat", "[CLS]"]],
    known=KNOWN,
)
of_fill(
    "each blank takes the likeliest words that are no special symbols",
    "fill(['the', '_'], [3, 1], { fill: (ids) => ({ logits: ids.map((id) => "
    "[9, 0, 0, id, 1].map(Math.abs)) }) }, known).map((five) => five.map(([word]) => word))",
    [["the", "owl"]],
    known=KNOWN,
)
of_senses(
    "the nearest mention on the map is another one, and a click chooses the nearest",
    "[[0, 1, 2].map((i) => nearestTo(points, i)), [0.8, -1].map((x) => mentionAt(points, x, 0.3))]",
    [[2, 2, 1], [2, 0]],
    points=POINTS,
)
GIVEN = [(place, n, kind) for n in (0, 1, 2, 5) for place in (0, 4, 11)
         for kind in ("attention", "convolution")]  # fmt: skip
of_reach(
    "the reach is that of Python",
    "asked.map(([place, n, kind]) => Object.values(reachOf(sizes, place, n, kind)))",
    np.array([
        [end for axis in reach((6, 8), 2, *one) for end in (axis.start, axis.stop)] for one in GIVEN
    ]),
    sizes={"height": 6, "width": 8, "patch": 2},
    asked=GIVEN,
)  # fmt: skip
of_reach("pixels are counted", "pixelsIn({ top: 1, bottom: 4, left: 0, right: 2 })", 6)


@pytest.mark.parametrize("name", CASES)
def test_a_script_computes_what_python_computes(answers, name):
    CASES[name].check(answers[name])
