"""The figures of chapter 15: what the scripts get, what is said in words, and what is refused."""

from dataclasses import asdict

import numpy as np
import pytest

from headway.figures.gallery.cache_memory import GIB, CacheSizes, cache_memory
from headway.figures.gallery.step_cost import Cost, step_cost
from headway.inference.cost import cache_bytes


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
