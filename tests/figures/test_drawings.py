"""Drawings: their numbers are the model's, each step has its part, bad ones are refused."""

import math
import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from headway.figures.core.scripts import GALLERY
from headway.figures.gallery.drawn import Canvas
from headway.figures.gallery.six_words import Asking, six_words
from headway.figures.gallery.stepped import stepped
from headway.figures.gallery.tower import Rising, tower
from tests.figures.node import run

RNG = np.random.default_rng(0)
ASKING = Asking(
    words=["the", "flower", "smells"],
    asks=2,
    query=np.array([1.0, 0.5]),
    keys=np.array([[-1.0, 0.0], [2.0, 2.0], [0.0, -1.0]]),
    values=np.array([[1.0, 0.0], [0.0, 4.0], [-2.0, 0.0]]),
    says=[("great", 0.9), ("awful", 0.1)],
)
RISING = Rising(
    tokens=["<end>", "Return", " the"],
    ids=[9, 3, 4],
    stream=RNG.normal(size=(3, 3, 8)),
    looks=np.array([[0.1, 0.2, 0.7], [0.8, 0.1, 0.1]]),
    would_say=[("a", 0.5), (" b", 0.25), ("<c>", 0.75)],
    says=[("<c>", 0.75), (" b", 0.25)],
    size=10,
)


def texts(svg: str) -> list[str]:
    return [one.text for one in ElementTree.fromstring(svg).iter("text")]


def test_six_words_computes_what_attention_does():
    q, K, V = ASKING.query, ASKING.keys, ASKING.values
    e = np.exp(K @ q / math.sqrt(2))
    np.testing.assert_allclose(ASKING.weights, e / e.sum())
    np.testing.assert_allclose(ASKING.mixed, (e / e.sum()) @ V)
    large = replace(ASKING, keys=1e4 * K)
    assert large.weights[1] == pytest.approx(1)


def test_six_words_prints_the_numbers_of_every_word():
    said = texts(six_words(ASKING, "It asks", "Play.").drawing)
    for score, weight in zip(ASKING.scores, ASKING.weights, strict=True):
        assert f"{score:.2f}".replace("-", "−") in said
        assert f"{weight:.2f}" in said
    assert "“great” 90%" in said
    assert "awful 10%" in said


def test_the_tower_prints_what_each_level_would_say_and_whom_the_last_token_looks_at():
    figure = tower(RISING, "It rises", "Play.")
    said = texts(figure.drawing)
    assert {"“a” 50%", "“b” 25%", "“<c>” 75%", "9", "␣the"} <= set(said)
    steps = figure.data["steps"]
    assert "“the” looks most at itself" in steps[2]
    assert "looks most at “<end>”" in steps[3]
    assert len(steps) == 2 + 2 + 2
    widths = [
        float(w)
        for w in re.findall(r'hw-of-value hw-flow" stroke-width="([\d.]+)"', figure.drawing)
    ]
    np.testing.assert_allclose(widths, 12 * RISING.looks[:, :2].ravel(), atol=0.06)


@pytest.mark.parametrize("figure", [six_words(ASKING, "A", "B."), tower(RISING, "A", "B.")])
def test_a_drawing_is_whole_without_scripts_and_has_a_part_for_each_step(figure):
    svg = ElementTree.fromstring(figure.drawing)
    steps = [int(group.get("data-step")) for group in svg.iter("g") if group.get("data-step")]
    assert sorted(set(steps)) == list(range(1, len(figure.data["steps"]) + 1))
    assert len(svg.get("aria-label")) > 40
    assert "hidden" not in figure.drawing
    html = figure.html()
    assert html.index("hw-drawing") < html.index("hw-stage")
    width, height = map(float, svg.get("viewBox").split()[2:])
    for one in svg.iter("text"):
        assert 0 <= float(one.get("x")) <= width
        assert 0 <= float(one.get("y")) <= height


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: six_words(replace(ASKING, keys=np.ones((2, 2))), "A", "B."), "a key and a value"),
        (lambda: six_words(replace(ASKING, values=np.ones((3, 3))), "A", "B."), "one can read"),
        (lambda: six_words(replace(ASKING, asks=3), "A", "B."), "word 3 asks"),
        (lambda: tower(replace(RISING, looks=np.ones((1, 3))), "A", "B."), "a stream"),
        (lambda: stepped("<svg/>", ["One."], "A", "B.", "C.", ["x"], [[1]]), "step 1 of 1"),
        (lambda: Canvas(9, 9, "A").write(0, 0, "a", tone="red"), "'red' is no tone"),
    ],
)
def test_what_cannot_be_drawn_is_refused(make, says):
    with pytest.raises(ValueError, match=says):
        make()


def test_words_that_look_like_markup_are_escaped():
    canvas = Canvas(9, 9, "a < b")
    canvas.write(1, 1, "<b>")
    assert "<b>" not in canvas.svg()
    assert texts(canvas.svg()) == ["<b>"]


@pytest.mark.parametrize(
    ("key", "step", "to"),
    [
        ("ArrowRight", 2, 3),
        ("ArrowRight", 7, 7),
        ("ArrowLeft", 1, 1),
        ("Home", 5, 1),
        ("End", 2, 7),
    ],
)
def test_keys_lead_from_step_to_step(key, step, to):
    program = (
        "const { stepAfter } = await import(given.script);"
        "answer(stepAfter(given.key, given.step, 7));"
    )
    script = (GALLERY / "stepped" / "figure.js").as_uri()
    assert run(program, {"script": script, "key": key, "step": step}) == to
