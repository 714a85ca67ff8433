"""The attention explorer, the mask painter, the product: their numbers, what they refuse."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from headway.figures.core.matrix import Matrix
from headway.figures.gallery.attention import Reading
from headway.figures.gallery.attention_explorer import attention_explorer
from headway.figures.gallery.mask_painter import mask_painter
from headway.figures.gallery.matrix_product import Product, matrix_product
from headway.nn.attention import attend, mix
from headway.nn.masks import causal_mask

T, V = 4, 5
SYMBOLS = ["a", "b", "c", "d", "e"]
TOKENS = ["the", "pot", "that", "smells"]


def normal(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape)


READING = Reading("one", TOKENS, normal(T, T), normal(T, V, seed=1), normal(T, V, seed=2))
MASKS = {"causal": np.tri(T, dtype=bool), "strict": np.tri(T, k=-1, dtype=bool)}


def explorer(*readings):
    return attention_explorer(readings or (READING,), SYMBOLS, title="T", caption="C")


def painter(reading=READING, masks=MASKS, **more):
    return mask_painter(reading, SYMBOLS, masks, title="T", caption="C", **more)


@pytest.mark.parametrize("name", MASKS)
def test_weights_and_mixtures_are_those_of_the_package(name):
    mask = MASKS[name]
    scores, says = torch.from_numpy(READING.scores), torch.from_numpy(READING.says)
    mixed, weights = mix(scores, says, torch.from_numpy(mask))
    np.testing.assert_allclose(READING.weights(mask), weights, atol=1e-12)
    expected = (torch.from_numpy(READING.base) + mixed).softmax(dim=-1)
    np.testing.assert_allclose(READING.next_word(mask), expected, atol=1e-12)


def test_a_row_that_sees_nothing_has_zeros_and_no_nan():
    assert (READING.weights(MASKS["strict"])[0] == 0).all()
    assert np.isfinite(READING.next_word(MASKS["strict"])).all()


def test_large_scores_do_not_overflow():
    large = replace(READING, scores=1e4 * READING.scores)
    np.testing.assert_allclose(large.weights(MASKS["causal"]).sum(axis=1), 1)


def test_the_explorer_gets_rounded_numbers_of_a_causal_layer():
    query, key, value = (torch.from_numpy(normal(T, 3, seed=seed)) for seed in (3, 4, 5))
    _, weights = attend(query, key, value, causal_mask(T))
    reading = replace(READING, scores=(query @ key.T / 3**0.5).numpy())
    (case,) = explorer(reading).data["cases"]
    np.testing.assert_allclose(case["weights"], weights, atol=5e-5)
    assert case["next"][2][0][0] == SYMBOLS[reading.next_word(MASKS["causal"])[2].argmax()]
    assert case["values"][1][0] == SYMBOLS[READING.says[1].argmax()]


def test_both_figures_say_in_words_what_the_picture_shows():
    assert explorer().alt.startswith("Weights of “smells” in “the pot that smells”: the ")
    assert "under the mask “strict”" in painter(start="strict").alt
    assert "smells hidden" in painter(start="strict").alt


@pytest.mark.parametrize("make", [explorer, painter])
def test_the_table_of_numbers_is_complete_and_the_picture_is_drawn(make):
    figure = make()
    assert len(figure.rows) == T
    assert {len(row) for row in figure.rows} == {len(figure.header)}
    assert "<img" in figure.html()


def test_the_painter_starts_with_the_mask_that_is_named():
    data = painter(start="strict").data
    assert data["masks"][data["start"]] == ["strict", MASKS["strict"].astype(int).tolist()]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"scores": normal(T, T + 1)}, r"scores of 'one' must be \(4, 4\)"),
        ({"base": normal(T, V - 1)}, r"base of 'one' must be \(4, 5\)"),
        ({"says": np.full((T, V), np.nan)}, "not finite"),
        ({"tokens": ["w"] * 13}, "legible for 1 to 12"),
    ],
)
def test_a_reading_that_makes_no_sense_is_refused(change, says):
    for make in (explorer, painter):
        with pytest.raises(ValueError, match=says):
            make(replace(READING, **change))


def test_masks_that_make_no_sense_are_refused():
    with pytest.raises(ValueError, match=r"must be \(4, 4\)"):
        painter(masks={"wrong": np.ones((2, 2), dtype=bool)})
    with pytest.raises(TypeError, match="booleans"):
        painter(masks={"numbers": np.ones((T, T))})
    with pytest.raises(ValueError, match="none of the masks"):
        painter(start="window")
    with pytest.raises(ValueError, match="1 to 6 readings"):
        explorer(*[READING] * 7)


LEFT = Matrix("Q", [[1, 2], [0, -1]], rows=["pot", "smells"], role="query")
RIGHT = Matrix("Kᵀ", [[3, 0, 1], [1, 2, 0]], columns=["a", "b", "c"], role="key")


def product(divisor=2.0, divided="2", left=LEFT, out=None):
    values = LEFT.values @ RIGHT.values / divisor if out is None else out
    return Product("scores", left, RIGHT, Matrix("scores", values), divisor, divided)


def stepped(*products, **more):
    return matrix_product(products, title="T", caption="C", **more)


def test_a_product_says_which_row_meets_which_column():
    alt = stepped(product(), start=(1, 2)).alt
    assert alt.startswith("scores: Q (2, 2) times Kᵀ (2, 3) gives scores (2, 3).")
    assert "row “smells” of Q, column “c” of Kᵀ, and where they meet 0.00" in alt


def test_the_table_of_products_is_complete_though_one_is_narrower():
    narrow = Product("q", LEFT, Matrix("w", [[1], [1]]), Matrix("q", [[3], [-1]]))
    figure = stepped(product(), narrow)
    assert {len(row) for row in figure.rows} == {len(figure.header)}
    assert [row[1] for row in figure.rows] == ["2.50", "−0.50", "3.00", "−1.00"]
    assert "<img" in figure.html()


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: product(out=np.zeros((2, 3))), "scores is not Q @ Kᵀ"),
        (lambda: product(divided=""), "say what 2.0 is"),
        (lambda: product(left=Matrix("Q", [[1, 2, 3]])), r"rows of 3 numbers, but Kᵀ \(2, 3\)"),
    ],
)
def test_a_product_that_is_none_is_refused(make, says):
    with pytest.raises(ValueError, match=says):
        stepped(make())


def test_a_figure_without_a_product_or_with_no_such_cell_is_refused():
    with pytest.raises(ValueError, match="at least one product"):
        stepped()
    with pytest.raises(ValueError, match=r"no cell \(2, 0\)"):
        stepped(product(), start=(2, 0))
