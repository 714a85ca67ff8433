"""The figures of chapter 9: what each head looks at, and a projection's columns on their way."""

import re
from dataclasses import replace

import numpy as np
import pytest
import torch

from headway.figures.gallery.many_heads.head_reshape import STEPS, head_reshape
from headway.figures.gallery.many_heads.head_viewer import head_viewer
from headway.figures.gallery.many_heads.heads_side_by_side import Heads, heads_side_by_side
from headway.nn.multihead import split_heads
from tests.figures.node import Cases
from tests.figures.shown import assert_on_page, assert_whole, part, texts, widths

HEADS = Heads(
    words=["the", "chicken", "crossed", "it"],
    asks=2,
    questions=["who?", "what?"],
    weights=np.array([[0.0, 0.9, 0.0, 0.1], [0.01, 0.0, 0.19, 0.8]]),
    found=np.array([[1.0, -2.0, 0.5], [3.0, 0.0, 0.25]]),
    output=np.array([0.1, 0.2, -0.3, 0.4, 0.5, -0.6]),
    answers=[("chicken", 0.97), ("it", 0.88)],
)
WEIGHTS = np.array([[[0, 0, 0], [0.5, 0.5, 0], [0.1, 0.2, 0.7]], [[1, 0, 0], [1, 0, 0], [0, 1, 0]]])


def drawn(**changes):
    return heads_side_by_side(replace(HEADS, **changes), "They ask", "Play.")


def view(weights=WEIGHTS, text="a b c", place=2, heads=("one", "two"), start=0):
    return head_viewer([(text, place, weights)], heads, "They look", "Choose.", start=start)


def reshape(order):
    return head_reshape(["a", "b"], order, "They part", "Go.")


def test_all_heads_ask_at_once_and_bring_home_lines_as_thick_as_their_weights():
    figure = drawn()
    assert_whole(figure)
    wanted = [max(0.8, 10 * weight) for weight in HEADS.weights.ravel() if weight >= 0.02]
    asked, brought = part(figure, 2), part(figure, 3)
    np.testing.assert_allclose(widths(asked, "query"), wanted, atol=0.06)
    np.testing.assert_allclose(widths(brought, "value"), wanted, atol=0.06)
    assert texts(asked) == ["who?", "what?"]
    cells = [one for one in brought.iter("rect") if one.get("class") == "hw-cell"]
    assert len(cells) == HEADS.found.size
    assert {"who? chicken", "what? it"} <= set(texts(part(figure, 4)))
    assert "“who?” gives 90% of its weight to “chicken”" in figure.data["steps"][1]
    assert "chicken (97%), it (88%)" in figure.data["steps"][3]


def test_two_questions_to_one_word_are_written_beside_each_other():
    figure = drawn(weights=HEADS.weights[[0, 0]])
    assert texts(part(figure, 2)) == ["who? what?"]


def test_the_viewer_hands_over_the_weights_and_says_where_each_head_looks():
    figure = view()
    assert_on_page(figure)
    (sentence,) = figure.data["sentences"]
    assert sentence["words"] == ["a", "b", "c"]
    np.testing.assert_allclose(sentence["weights"], WEIGHTS, atol=0.005)
    assert "one at “c”, two at “b”" in figure.alt
    assert len(figure.rows) == 2 * 3


def test_the_cells_stand_where_headways_own_split_puts_them():
    figure = reshape(split_heads(torch.arange(12).view(1, 2, 6), 3)[0].numpy())
    assert_on_page(figure)
    assert figure.data["order"][1] == [[2, 3], [8, 9]]  # the second head has columns 2 and 3
    assert figure.data["heads"] == 3
    assert [step["shape"] for step in figure.data["steps"]] == [step[1] for step in STEPS]


@pytest.mark.parametrize(
    ("make", "changes", "says"),
    [
        (drawn, {"weights": np.ones((2, 3))}, "4 words and 2 questions need weights"),
        (drawn, {"asks": 4}, "word 4 asks"),
        (drawn, {"answers": [("a", 1.0)]}, "an answer a head"),
        (drawn, {"found": np.ones((2, 9))}, "one can read"),
        (view, {"weights": WEIGHTS[:1]}, "(2, 3, 3)"),
        (view, {"place": 3}, "place 3"),
        (view, {"weights": 2 * WEIGHTS}, "sum to one"),
        (view, {"weights": WEIGHTS - [[[0.5, -0.5, 0]]]}, "negative"),
        (view, {"start": 2}, "start must be a head"),
        (view, {"heads": ()}, "1 to 12 heads"),
        (reshape, {"order": np.zeros((2, 2, 2), int)}, "order must"),
        (reshape, {"order": np.arange(4)}, "order must"),
    ],
)
def test_what_makes_no_sense_is_refused(make, changes, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        make(**changes)


CASES = Cases()
of_reshape = CASES.of("head_reshape")
H, D = 3, 2
ORDER = np.arange(4 * H * D).reshape(4, H, D).transpose(1, 0, 2)  # (H, T, D)
of_reshape(
    "in wide form a word is a line, and its columns stand in order",
    "placesOf(order).map(({ wide: [x, y] }, _, [first, second, , , , , below]) => ["
    "(x - first.wide[0]) / (second.wide[0] - first.wide[0]),"
    "(y - first.wide[1]) / (below.wide[1] - first.wide[1])])",
    np.stack([np.arange(24) % 6, np.arange(24) // 6], axis=1),
    order=ORDER,
)
of_reshape(
    "split and apart by head, each number stays in its head",
    "placesOf(order).map(({ head }) => head)",
    np.arange(24) % 6 // D,
    order=ORDER,
)
LINES, ACROSS = 26 + np.add.outer((4 * 26 + 14) * np.arange(H), 26 * np.arange(4)), [84, 124]
of_reshape(
    "each head becomes a table of its own width, below the one before",
    "order.map((block) => block.map((line) => line.map((id) => placesOf(order)[id].heads)))",
    np.array([[[[x, y] for x in ACROSS] for y in block] for block in LINES.tolist()]),
    order=ORDER,
)


@pytest.mark.parametrize("name", CASES)
def test_a_script_computes_what_python_computes(answers, name):
    CASES[name].check(answers[name])
