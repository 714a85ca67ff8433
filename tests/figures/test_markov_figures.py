"""The figures of chapter 2: their numbers are the model's, and what makes no sense is refused."""

import numpy as np
import pytest

from headway.figures.gallery.chain_walk import chain_walk, in_layers, walk
from headway.figures.gallery.compare_orders import compare_orders
from headway.figures.gallery.heat_map import heat_map
from headway.ngram.markov import MarkovChain
from headway.text.vocabulary import Vocabulary

TEXTS = ["check whether the battery ran down please"] * 4
TEXTS += ["check whether the program ran please"] * 6
VOCABULARY = Vocabulary.from_text(" ".join(TEXTS), specials=())
CHAIN = MarkovChain([VOCABULARY.encode(text) for text in TEXTS], len(VOCABULARY))
P = CHAIN.transition_matrix()
STATES = [*VOCABULARY.symbols, "(boundary)"]
DRAWS = np.random.default_rng(0).random((2, 400))


def check_walk(**changes):
    given = {"states": STATES, "matrix": P, "start": "(boundary)", "draws": DRAWS} | changes
    return chain_walk(**given)


def test_a_walk_goes_only_where_the_matrix_allows_and_as_often_as_it_says():
    path = walk(P, CHAIN.boundary, np.random.default_rng(1).random(30_000))
    before = np.concatenate([[CHAIN.boundary], path[:-1]])
    counts = np.zeros_like(P)
    np.add.at(counts, (before, path), 1)
    assert not counts[P == 0].any()
    np.testing.assert_allclose(counts / counts.sum(axis=1, keepdims=True), P, atol=0.03)


@pytest.mark.parametrize(("draw", "word"), [(0.0, "down"), (0.3999, "down"), (0.4, "please")])
def test_a_draw_picks_the_part_in_which_it_falls(draw, word):
    assert STATES[walk(P, VOCABULARY.id("ran"), np.array([draw]))[0]] == word


def test_a_draw_next_to_one_picks_a_state_even_if_the_row_rounds_to_less():
    row = np.full((10, 10), 0.1)
    assert walk(row, 0, np.array([np.nextafter(1, 0)]))[0] == 9


def test_no_arrow_runs_past_a_layer_and_no_two_states_share_a_place():
    places = in_layers(P, CHAIN.boundary)
    assert len({tuple(place) for place in places}) == len(STATES)
    heights = sorted(set(places[:, 1]))
    layer = {state: heights.index(places[state, 1]) for state in range(len(STATES))}
    assert all(layer[j] <= layer[i] + 1 for i, j in np.argwhere(P > 0))


def test_the_walk_names_its_branches():
    figure = check_walk()
    assert "after ran: down 0.4, please 0.6" in figure.alt
    assert "after the: battery 0.4, program 0.6" in figure.alt
    assert len(figure.rows) == (P > 0).sum()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"states": STATES[:-1]}, r"shape \(8, 8\), got \(9, 9\)"),
        ({"states": ["a"] * 9}, "different states"),
        ({"matrix": P.T}, "sum to one"),
        ({"start": "dog"}, "'dog' is not one of"),
        ({"draws": DRAWS[0]}, "draws must be"),
        ({"draws": DRAWS + 1}, "draws must be"),
        ({"matrix": np.eye(9)}, "8 states cannot be reached"),
        ({"matrix": np.full((9, 9), 1 / 9)}, "8 states in a layer; 3 are legible"),
    ],
)
def test_a_walk_that_makes_no_sense_is_refused(changes, says):
    with pytest.raises(ValueError, match=says):
        check_walk(**changes)


def test_a_heat_map_says_the_row_under_its_cursor():
    figure = heat_map(STATES, STATES, P, ("ran", "down"), title="Doubt")
    assert "The row of “ran” has down 0.4, please 0.6; 7 rows hold a single one" in figure.alt
    assert figure.data["matrix"] == P.tolist()
    empty = heat_map(["a"], ["b", "c"], [[0, 0]], ("a", "b"), title="Nothing")
    assert "has zeros only" in empty.alt


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"rows": STATES[:-1]}, r"\(8, 9\), got shape \(9, 9\)"),
        ({"matrix": 2 * P}, "sum to one"),
        ({"matrix": P - 1}, "sum to one"),
        ({"start": ("ran", "dog")}, "'dog' is not one of"),
        ({"rows": list("abcdefghijklmnopq"), "matrix": np.ones((17, 9)) / 9}, "legible"),
    ],
)
def test_a_heat_map_that_makes_no_sense_is_refused(changes, says):
    given = {"rows": STATES, "columns": STATES, "matrix": P, "start": ("ran", "down")} | changes
    with pytest.raises(ValueError, match=says):
        heat_map(**given, title="Doubt")


ROWS = np.array([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]])


def test_the_comparison_has_the_likeliest_words_and_the_probability_of_the_true_one():
    figure = compare_orders(
        [["b"]], (1, 2), [[ROWS], [ROWS[::-1]]], [[[5, 0]], [[1, 2]]], ["a", "b", "end"], top=2
    )
    first, second = figure.data["sentences"][0]["models"]
    assert first[0] == {"p": 0.2, "seen": 5, "top": [["(end)", 0.7], ["b", 0.2]]}
    assert second[1]["p"] == 0.7  # the end
    assert second[0]["top"] == [["(end)", 0.4], ["a", 0.3]]  # of equal ones the first
    assert figure.rows == [["b", "0.2", "5", "0.3", "1"], ["(end)", "0.4", "0", "0.7", "2"]]
    assert "order 1 gives it 0.2; order 2 gives it 0.3" in figure.alt


def test_a_tiny_probability_never_looks_like_zero():
    tiny = np.array([[1 - 4e-8, 4e-8, 0], [0.5, 0.5, 0]])
    figure = compare_orders([["b"]], (1,), [[tiny]], [[[5, 1]]], ["a", "b", "end"])
    assert figure.data["sentences"][0]["models"][0][0]["p"] == 4e-8
    assert figure.rows == [["b", "< 0.00001", "5"], ["(end)", "0", "1"]]
    assert "order 1 gives it < 0.0001" in figure.alt


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"distributions": [[ROWS[:1]]]}, r"2 predictions over 3 words; 'order 1' gives \(1, 3\)"),
        ({"seen": [[[1, 2, 3]]]}, r"contexts \(3,\)"),
        ({"start": (0, 2)}, "no place"),
        ({"start": (1, 0)}, "no place"),
    ],
)
def test_a_comparison_that_makes_no_sense_is_refused(changes, says):
    given = {
        "sentences": [["b"]],
        "orders": (1,),
        "distributions": [[ROWS]],
        "seen": [[[1, 2]]],
        "symbols": ["a", "b", "end"],
    }
    with pytest.raises(ValueError, match=says):
        compare_orders(**given | changes)
