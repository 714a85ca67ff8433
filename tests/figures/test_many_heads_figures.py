"""Heads: what they look at, and the way of a projection's columns through them."""

import numpy as np
import pytest

from headway.figures.gallery.head_reshape import STEPS, head_reshape
from headway.figures.gallery.head_viewer import head_viewer
from headway.nn.multihead import split_heads

WEIGHTS = np.array([[[1, 0, 0], [0.5, 0.5, 0], [0.1, 0.2, 0.7]], [[1, 0, 0], [1, 0, 0], [0, 1, 0]]])


def view(weights=WEIGHTS, text="a b c", start=2, heads=("one", "two"), chosen=0):
    return head_viewer([(text, start, weights)], heads, "T", "C", start=chosen)


def reshape(order, words=("a", "b")):
    return head_reshape(words, order, "T", "C")


def order_of(T, C, H):
    import torch

    return split_heads(torch.arange(T * C).view(1, T, C), H)[0].numpy()


def test_the_viewer_hands_over_the_weights_and_says_where_each_head_looks():
    figure = view()
    (sentence,) = figure.data["sentences"]
    assert sentence["words"] == ["a", "b", "c"]
    np.testing.assert_allclose(sentence["weights"], WEIGHTS, atol=0.005)
    assert "one at “c”, two at “b”" in figure.alt
    assert len(figure.rows) == 2 * 3


@pytest.mark.parametrize(
    ("given", "what"),
    [
        ({"weights": WEIGHTS[:1]}, r"\(2, 3, 3\)"),
        ({"text": "a b"}, "place 2"),
        ({"start": 3}, "place 3"),
        ({"weights": 2 * WEIGHTS}, "sum to one"),
        ({"weights": WEIGHTS - [[[0.5, -0.5, 0]]]}, "negative"),
        ({"chosen": 2}, "start must be a head"),
        ({"heads": ()}, "1 to 12 heads"),
    ],
)
def test_what_are_no_weights_of_these_heads_is_refused(given, what):
    with pytest.raises(ValueError, match=what):
        view(**given)


def test_a_row_that_may_look_nowhere_is_allowed():
    weights = WEIGHTS.copy()
    weights[0, 0] = 0
    assert view(weights=weights).data["sentences"][0]["weights"][0][0] == [0, 0, 0]


def test_the_cells_stand_where_headways_own_split_puts_them():
    order = order_of(T=2, C=6, H=3)
    data = reshape(order).data
    assert data["order"][1] == [[2, 3], [8, 9]]  # the second head has columns 2 and 3
    assert data["heads"] == 3
    assert [step["shape"] for step in data["steps"]] == [shape for _, shape, _, _, _ in STEPS]


@pytest.mark.parametrize(
    "order", [np.zeros((2, 2, 2), int), np.arange(4), np.arange(6).reshape(2, 3, 1)]
)
def test_what_is_no_arrangement_of_the_numbers_is_refused(order):
    with pytest.raises(ValueError, match="order must"):
        reshape(order)
