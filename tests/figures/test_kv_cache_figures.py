"""The figures of chapter 15: they count as the package does, and refuse what makes no sense."""

from dataclasses import asdict, replace

import numpy as np
import pytest

from headway.figures.gallery.kv_cache.cache_memory import GIB, CacheSizes, cache_memory
from headway.figures.gallery.kv_cache.cache_rows import Cached, cache_rows
from headway.figures.gallery.kv_cache.step_cost import Cost, step_cost
from headway.inference.cost import cache_bytes
from tests.figures.node import Cases
from tests.figures.shown import assert_on_page, assert_whole, part, texts, widths

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
LONG = {"words": ["a"] * 13, "keys": np.ones((13, 3)), "values": np.ones((13, 3))}
WIDE = {name: np.ones(9) for name in ("query", "mixed")}
WIDE |= {name: np.ones((7, 9)) for name in ("keys", "values")}
MODELS = {"one": CacheSizes(2, 3, 5, 7), "window": CacheSizes(2, 3, 5, 700, window=11)}


def drawn(**changes):
    return cache_rows(replace(CACHED, **changes), "It fills", "Play.")


def costs(lengths=(1, 10, 20), cached=(1.23456, 2, 3), uncached=(4, 5_000_000, 6), n=1, **more):
    cost = Cost("FLOPs, counted", "FLOPs", cached, uncached)
    return step_cost(lengths, [cost] * n, title="T", caption="C", **more)


def memory(models=MODELS, start="window"):
    return cache_memory(models, title="T", caption="C", start=start, room=GIB)


def bars(step):
    """How many rows are computed, a key and a value each."""
    found = dict.fromkeys(("key", "value"), 0)
    for rect in step.iter("rect"):
        found[rect.get("class").removeprefix("hw-column hw-of-")] += 1
    assert found["key"] == found["value"]
    return found["key"]


def test_with_a_cache_each_word_is_computed_once_and_without_one_again_and_again():
    figure = drawn()
    assert_whole(figure)
    assert bars(part(figure, 1)) == 2 + 2 + 1, "the prompt in both ways, and what the colors are"
    for step, t in {2: 2, 5: 5, 8: 6}.items():
        shown = part(figure, step)
        assert [word for word in texts(shown) if word in CACHED.words] == 2 * [CACHED.words[t]]
        assert bars(shown) == t + 1 + 1
        kept = [one for one in shown.iter("path") if "hw-band" in one.get("class")]
        assert len(kept) == 2 * t
    assert {"27 rows computed", "7 rows computed"} <= set(texts(part(figure, 8)))
    assert "7 with the cache, 27 without" in figure.alt


def test_the_query_asks_once_and_the_values_are_mixed():
    figure = drawn()
    dots = [float(dot.get("r")) for dot in part(figure, 6).iter("circle")]
    np.testing.assert_allclose(dots, 2.5 + 6 * CACHED.weights, atol=0.06)
    assert texts(part(figure, 6)) == ["asks"]
    assert texts(part(figure, 7)) == ["“loudly” 75%"]
    wanted = [max(0.8, 8 * w) for w in CACHED.weights if w >= 0.02]
    np.testing.assert_allclose(widths(part(figure, 7), "value"), wanted, atol=0.06)
    assert "“owl” fits best, with a weight of 0.80" in figure.data["steps"][5]
    assert [row[3] for row in figure.rows][-2:] == ["0.06", "not there yet"]


def test_counted_numbers_stay_exact_and_measured_ones_are_short():
    figure = costs()
    assert_on_page(figure)
    assert figure.data["costs"][0]["ways"] == [[1.235, 2, 3], [4, 5_000_000, 6]]
    assert figure.rows[1] == [10, "2", "5,000,000"]
    assert "from 1.235 to 3 FLOPs a token with the cache and from 4 to 6 without" in figure.alt


def test_the_calculator_counts_as_the_package_does_from_the_model_that_is_asked_for():
    for sizes in MODELS.values():
        layers, heads, width, length, window = asdict(sizes).values()
        counted = cache_bytes(layers, heads, width, length, 13, item_bytes=4, window=window)
        assert sizes.bytes(13, item_bytes=4) == counted
    figure = memory()
    assert_on_page(figure)
    assert figure.data["start"] == 1
    assert [model["window"] for model in figure.data["models"]] == [0, 11]
    assert figure.rows[1] == ["window", 2, 3, 5, "700", "11", "120", "1,320"]


@pytest.mark.parametrize(
    ("make", "changes", "says"),
    [
        (drawn, {"keys": np.ones((6, 3))}, "need keys and values"),
        (drawn, {"weights": np.ones(7)}, "6 weights"),
        (drawn, {"mixed": np.ones(4)}, "3 mixed numbers"),
        (drawn, {"prompt": 0}, "after the prompt"),
        (drawn, {"prompt": 6}, "after the prompt"),
        (drawn, LONG, "up to 12 words"),
        (drawn, WIDE, "of 8 numbers"),
        (costs, {"lengths": (1, 1, 2)}, "lengths must rise"),
        (costs, {"at": 3}, "lengths must rise, and hold the place 3"),
        (costs, {"cached": (1, 2)}, "a positive number for each of 3 lengths"),
        (costs, {"uncached": (1, 0, 2)}, "a positive number"),
        (costs, {"uncached": (1, np.nan, 2)}, "a positive number"),
        (costs, {"n": 0}, "nothing to draw"),
        (memory, {"start": "other"}, "no model 'other'"),
        (memory, {"models": {"window": CacheSizes(0, 1, 1, 1)}}, "1 or more"),
    ],
)
def test_what_makes_no_sense_is_refused(make, changes, says):
    with pytest.raises(ValueError, match=says):
        make(**changes)


CASES = Cases()
of_memory, of_cost = CASES.of("cache_memory"), CASES.of("step_cost")
for name, sizes in MODELS.items():
    of_memory(
        f"bytes of {name}, of which a window limits what is kept",
        f"[1, 3].map((B) => bytesOf([...sizes, {sizes.window or 0}, B], 2).total)",
        [sizes.bytes(batch) for batch in (1, 3)],
        sizes=[sizes.layers, sizes.heads, sizes.width, sizes.length],
    )
of_memory(
    "what is typed becomes a whole number within the limits",
    "['', '-5', '0', '7.9', 'x', '5000'].map((text) => wholeNumber(text, 1, 1000))",
    [1, 1, 1, 7, 1, 1000],
)
of_cost(
    "the axis holds all values in whole decades",
    "[[20, 30000], [1000, 1000], [0.5, 10]].map(decades)",
    [[10, 100_000], [1000, 10_000], [0.1, 10]],
)


@pytest.mark.parametrize("name", CASES)
def test_a_script_computes_what_python_computes(answers, name):
    CASES[name].check(answers[name])
