"""The attention explorer and the mask painter: their numbers, and what they refuse."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from headway.figures.gallery.attention import Reading
from headway.figures.gallery.attention_explorer import attention_explorer
from headway.figures.gallery.mask_painter import mask_painter
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
