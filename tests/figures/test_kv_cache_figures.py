"""The figures of chapter 15: what the scripts get, what is said in words, and what is refused."""

from dataclasses import asdict

import numpy as np
import pytest

from headway.figures.gallery.cache_memory import GIB, CacheSizes, cache_memory
from headway.figures.gallery.cache_steps import cache_steps
from headway.figures.gallery.step_cost import Cost, step_cost
from headway.inference.cost import cache_bytes

L, H, T, D = 2, 3, 4, 2
KEYS = np.random.default_rng(0).normal(size=(L, H, T, D)).astype(np.float32)
WEIGHTS = np.tril(np.ones((L, H, T, T))) / np.arange(1, T + 1)[:, None]


def steps(**changes):
    given = {
        "tokens": ["<start>", "a", "b", "c"],
        "prompt": 2,
        "keys": KEYS,
        "values": -KEYS,
        "queries": 2 * KEYS,
        "weights": WEIGHTS,
        "written": [("a", 0.5)] * T,
        "title": "T",
        "caption": "C",
    }
    return cache_steps(**given | changes)


def test_the_script_gets_short_numbers_and_no_weight_on_later_tokens():
    data = steps().data
    assert np.allclose(data["keys"], KEYS, atol=0.006)
    assert all(len(repr(x)) <= 5 for x in np.ravel(data["keys"]).tolist())
    assert [len(row) for row in data["weights"][1][2]] == [1, 2, 3, 4]
    assert data["weights"][0][0][2] == [0.333] * 3


def test_the_picture_in_words_says_how_full_the_cache_is():
    figure = steps(steps=1, layer=1, head=2)
    assert "block 2, head 3 after 3 tokens" in figure.alt
    assert "<start>, a, b; empty slots: 1." in figure.alt
    assert [row[0] for row in figure.rows] == ["<start>", "a", "b", "c"]
    assert "<svg" in figure.html() or "data:image" in figure.html()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"values": KEYS[:1]}, r"must all be \(L, H, 4, D\)"),
        ({"tokens": ["a"]}, r"must all be \(L, H, 1, D\)"),
        ({"weights": WEIGHTS[0]}, r"weights must be \(2, 3, 4, 4\)"),
        ({"written": []}, "must have 4 entries, got 0"),
        ({"steps": 3}, "does not exist"),
        ({"prompt": 0}, "does not exist"),
        ({"layer": 2}, "does not exist"),
        ({"head": -1}, "does not exist"),
    ],
)
def test_a_cache_that_does_not_fit_is_refused(changes, says):
    with pytest.raises(ValueError, match=says):
        steps(**changes)


def costs(lengths=(1, 10, 20), cached=(1.23456, 2, 3), uncached=(4, 5_000_000, 6), **more):
    cost = Cost("FLOPs, counted", "FLOPs", cached, uncached)
    return step_cost(lengths, [cost], title="T", caption="C", **more)


def test_counted_numbers_stay_exact_and_measured_ones_are_short():
    figure = costs()
    assert figure.data["costs"][0]["ways"] == [[1.235, 2, 3], [4, 5_000_000, 6]]
    assert figure.rows[1] == [10, "2", "5,000,000"]
    assert "from 1.235 to 3 FLOPs a token with the cache and from 4 to 6 without" in figure.alt
    assert costs(cached=(12_345_678, 1, 1)).data["costs"][0]["ways"][0][0] == 12_345_678


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"lengths": (1, 1, 2)}, "lengths must rise"),
        ({"lengths": (3,)}, "lengths must rise"),
        ({"at": 3}, "lengths must rise, and hold the place 3"),
        ({"cached": (1, 2)}, "a positive number for each of 3 lengths"),
        ({"uncached": (1, 0, 2)}, "a positive number"),
        ({"uncached": (1, np.nan, 2)}, "a positive number"),
    ],
)
def test_costs_that_do_not_fit_are_refused(changes, says):
    with pytest.raises(ValueError, match=says):
        costs(**changes)


def test_a_figure_of_no_costs_is_refused():
    with pytest.raises(ValueError, match="nothing to draw"):
        step_cost([1, 2], [], title="T", caption="C")


MODELS = {"one": CacheSizes(2, 3, 5, 7), "window": CacheSizes(2, 3, 5, 700, window=11)}


@pytest.mark.parametrize("sizes", MODELS.values(), ids=MODELS)
@pytest.mark.parametrize("batch", [1, 13])
def test_the_calculator_counts_as_the_package_does(sizes, batch):
    layers, heads, width, length, window = asdict(sizes).values()
    counted = cache_bytes(layers, heads, width, length, batch, item_bytes=4, window=window)
    assert sizes.bytes(batch, item_bytes=4) == counted


def test_the_calculator_starts_with_the_model_that_is_asked_for():
    figure = cache_memory(MODELS, title="T", caption="C", start="window", room=GIB)
    assert figure.data["start"] == 1
    assert [model["window"] for model in figure.data["models"]] == [0, 11]
    assert figure.rows[1] == ["window", 2, 3, 5, "700", "11", "120", "1,320"]


def test_a_calculator_with_impossible_sizes_is_refused():
    with pytest.raises(ValueError, match="no model 'other'"):
        cache_memory(MODELS, title="T", caption="C", start="other")
    with pytest.raises(ValueError, match="1 or more"):
        cache_memory({"a": CacheSizes(0, 1, 1, 1)}, title="T", caption="C", start="a")
