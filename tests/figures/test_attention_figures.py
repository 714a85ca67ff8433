"""The figures of chapter 8: their numbers are the package's, and what makes no sense is refused."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
import torch

from headway.figures.core.matrix import Matrix
from headway.figures.gallery.attention.attention_explorer import attention_explorer
from headway.figures.gallery.attention.mask_painter import mask_painter
from headway.figures.gallery.attention.matrix_product import Product, matrix_product
from headway.figures.gallery.attention.reading import Reading
from headway.figures.gallery.attention.six_words import Asking, six_words
from headway.figures.gallery.attention.six_words_forms import lanes
from headway.nn.attention import attend, mix
from headway.nn.masks import causal_mask
from tests.figures.node import Cases, normal
from tests.figures.shown import assert_on_page, assert_whole, part, svg_of, texts, widths

T, V = 4, 5
SYMBOLS = list("abcde")
READING = Reading(
    *("one", ["the", "pot", "that", "smells"], 3 * normal(T, T), normal(T, V, seed=1)),
    normal(T, V, seed=2),
)
MASKS = {"causal": np.tri(T, dtype=bool), "strict": np.tri(T, k=-1, dtype=bool)}
LEFT = Matrix("Q", [[1, 2], [0, -1]], rows=["pot", "smells"], role="query")
RIGHT = Matrix("Kᵀ", [[3, 0, 1], [1, 2, 0]], columns=["a", "b", "c"], role="key")
ASKING = Asking(
    words=["the", "flower", "smells"],
    asks=2,
    query=np.array([1.0, 0.5]),
    keys=np.array([[-1.0, 0.0], [2.0, 2.0], [0.0, -1.0]]),
    values=np.array([[1.0, 0.0], [0.0, 4.0], [-2.0, 0.0]]),
    says=[("great", 0.9), ("awful", 0.1)],
)


def explorer(count=1, **changes):
    return attention_explorer(
        [replace(READING, **changes)] * count, SYMBOLS, title="T", caption="C"
    )


def painter(masks=MASKS, start="strict", **changes):
    return mask_painter(replace(READING, **changes), SYMBOLS, masks, "T", "C", start=start)


def product(divisor=2.0, divided="2", left=LEFT, out=None):
    values = LEFT.values @ RIGHT.values / divisor if out is None else out
    return Product("scores", left, RIGHT, Matrix("scores", values), divisor, divided)


def stepped(*products, **more):
    return matrix_product(products, title="T", caption="C", **more)


def stepped_through(**changes):
    return stepped(product(**changes))


def asked(**changes):
    return six_words(replace(ASKING, **changes), "It asks", "Play.")


def test_the_drawing_prints_the_weights_of_attention_and_what_every_word_says():
    q, K, V = ASKING.query, ASKING.keys, ASKING.values
    e = np.exp(K @ q / 2**0.5)
    np.testing.assert_allclose(ASKING.weights, e / e.sum())
    np.testing.assert_allclose(ASKING.mixed, (e / e.sum()) @ V)
    assert replace(ASKING, keys=1e4 * K).weights[1] == pytest.approx(1)
    assert_whole(asked())
    said = set(texts(svg_of(asked())))
    assert {f"{score:.2f}".replace("-", "−") for score in ASKING.scores} <= said
    assert {f"{weight:.2f}" for weight in ASKING.weights} | {"“great” 90%", "awful 10%"} <= said
    notes = {"q · k / √2", "softmax, sum 1", "what I offer", "what I say"}
    assert set(texts(ElementTree.fromstring(asked().upright))) >= said - notes


def test_ribbons_are_as_wide_as_the_weights_and_lie_side_by_side():
    ribbons, weights = widths(part(asked(), 7), "value")[:3], ASKING.weights
    np.testing.assert_allclose(ribbons, np.maximum(0.8, 30 * weights), atol=0.06)
    places, wide = lanes(ASKING, 100, 30)
    np.testing.assert_allclose(np.diff(places), (np.array(wide)[1:] + wide[:-1]) / 2)
    outermost, *_, innermost = lanes(ASKING, 100, -30)[0]
    assert innermost < 100 < outermost, "the first word's ribbon goes around the others"


def test_whole_numbers_are_printed_without_a_point():
    assert [ASKING.digits(each) for each in (ASKING.keys, ASKING.query)] == [0, 1]


@pytest.mark.parametrize("mask", MASKS.values(), ids=MASKS)
def test_weights_and_mixtures_are_those_of_the_package(mask):
    scores, says = torch.from_numpy(READING.scores), torch.from_numpy(READING.says)
    mixed, weights = mix(scores, says, torch.from_numpy(mask))
    np.testing.assert_allclose(READING.weights(mask), weights, atol=1e-12)
    expected = (torch.from_numpy(READING.base) + mixed).softmax(dim=-1)
    np.testing.assert_allclose(READING.next_word(mask), expected, atol=1e-12)
    large = replace(READING, scores=1e4 * READING.scores)
    np.testing.assert_allclose(large.weights(mask).sum(axis=1), mask.any(axis=1))


def test_the_explorer_gets_rounded_numbers_of_a_causal_layer():
    query, key, value = (torch.from_numpy(normal(T, 3, seed=seed)) for seed in (3, 4, 5))
    _, weights = attend(query, key, value, causal_mask(T))
    reading = replace(READING, scores=(query @ key.T / 3**0.5).numpy())
    figure = explorer(scores=reading.scores)
    assert_on_page(figure)
    assert figure.alt.startswith("Weights of “smells” in “the pot that smells”: the ")
    (case,) = figure.data["cases"]
    np.testing.assert_allclose(case["weights"], weights, atol=5e-5)
    assert case["next"][2][0][0] == SYMBOLS[reading.next_word(MASKS["causal"])[2].argmax()]
    assert case["values"][1][0] == SYMBOLS[READING.says[1].argmax()]


def test_the_painter_starts_with_the_mask_that_is_named_and_says_what_it_hides():
    figure = painter()
    assert_on_page(figure)
    assert len(figure.rows) == T
    assert "under the mask “strict”" in figure.alt
    assert "smells hidden" in figure.alt
    data = figure.data
    assert data["masks"][data["start"]] == ["strict", MASKS["strict"].astype(int).tolist()]


def test_a_product_says_which_row_meets_which_column_and_tables_all_products():
    narrow = Product("q", LEFT, Matrix("w", [[1], [1]]), Matrix("q", [[3], [-1]]))
    figure = stepped(product(), narrow, start=(1, 2))
    assert_on_page(figure)
    assert figure.alt.startswith("scores: Q (2, 2) times Kᵀ (2, 3) gives scores (2, 3).")
    assert "row “smells” of Q, column “c” of Kᵀ, and where they meet 0.00" in figure.alt
    assert [row[1] for row in figure.rows] == ["2.50", "−0.50", "3.00", "−1.00"]


@pytest.mark.parametrize(
    ("make", "changes", "says"),
    [
        (asked, {"keys": np.ones((2, 2))}, "a key and a value"),
        (asked, {"values": np.ones((3, 3))}, "one can read"),
        (asked, {"asks": 3}, "word 3 asks"),
        (explorer, {"scores": normal(T, T + 1)}, "scores of 'one' must be (4, 4)"),
        (explorer, {"base": normal(T, V - 1)}, "base of 'one' must be (4, 5)"),
        (explorer, {"says": np.full((T, V), np.nan)}, "not finite"),
        (explorer, {"tokens": ["w"] * 13}, "legible for 1 to 12"),
        (explorer, {"count": 7}, "1 to 6 readings"),
        (painter, {"says": np.full((T, V), np.nan)}, "not finite"),
        (painter, {"masks": {"strict": np.ones((2, 2), dtype=bool)}}, "must be (4, 4)"),
        (painter, {"start": "window"}, "none of the masks"),
        (stepped_through, {"out": np.zeros((2, 3))}, "scores is not Q @ Kᵀ"),
        (stepped_through, {"divided": ""}, "say what 2.0 is"),
        (stepped_through, {"left": Matrix("Q", [[1, 2, 3]])}, "rows of 3 numbers, but Kᵀ (2, 3)"),
        (stepped, {}, "at least one product"),
    ],
)
def test_what_makes_no_sense_is_refused(make, changes, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        make(**changes)


def test_a_mask_of_numbers_and_a_cell_that_is_not_there_are_refused():
    with pytest.raises(TypeError, match="booleans"):
        painter(masks={"strict": np.ones((T, T))})
    with pytest.raises(ValueError, match=r"no cell \(2, 0\)"):
        stepped(product(), start=(2, 0))


CASES = Cases()
of_painter, of_product = CASES.of("mask_painter"), CASES.of("matrix_product")
of_painter(
    "a pointer that was fast has passed over the cells between",
    "[cellsBetween([0, 3], [0, 0]), cellsBetween([1, 1], [3, 2]), cellsBetween([2, 2], [2, 2])]",
    [[[0, 3], [0, 2], [0, 1], [0, 0]], [[1, 1], [2, 2], [3, 2]], [[2, 2]]],
)
CASES.of("attention_explorer")(
    "a weight is told as none or all only if it is",
    "[share(0.0004), share(0.25), share(0.9996, 2), share(1, 1)]",
    ["< 0.001", "0.25", "> 0.999", "1"],
)
for name, mask in MASKS.items():
    given = {"mask": mask, "scores": READING.scores, "base": READING.base, "says": READING.says}
    of_painter(
        f"the weights under a {name} mask",
        "scores.map((row, t) => softmax(row, mask[t]))",
        READING.weights(mask),
        **given,
    )
    next_word = READING.next_word(mask)
    of_painter(
        f"the next word under a {name} mask",
        "scores.map((row, t) => likeliest(base[t], softmax(row, mask[t]), says))",
        np.stack([next_word.argmax(axis=1), next_word.max(axis=1)], axis=1),
        **given,
    )
of_painter(
    "a softmax of large scores stays finite",
    "softmax([1000, 1000, -1000], [1, 1, 1])",
    np.array([0.5, 0.5, 0]),
)
of_product(
    "a product is written out number by number, without a minus before zero",
    "[sum(one, 0, 0), sum({ ...one, divided: '√2' }, 0, 0)]",
    [
        "−1.50 · (−2.0) + 0.00 · 1.0 + (−1.00) · 0.5 = 2.50",
        "(−1.50 · (−2.0) + 0.00 · 1.0 + (−1.00) · 0.5) / √2 = 2.50",
    ],
    one={
        "left": {"values": [[-1.5, -0.004, -1]], "digits": 2},
        "right": {"values": [[-2.0], [1.0], [0.5]], "digits": 1},
        "out": {"values": [[2.496]], "digits": 2},
    },
)
of_product(
    "steps go through the cells in reading order and stop at the ends",
    "[[[0, 1], 1], [[1, 0], -1], [[0, 0], -1], [[1, 1], 1]].map((at) => further(...at, out))",
    [[1, 0], [0, 1], [0, 0], [1, 1]],
    out={"values": [[1, 2], [3, 4]]},
)


@pytest.mark.parametrize("name", CASES)
def test_a_script_computes_what_python_computes(answers, name):
    CASES[name].check(answers[name])
