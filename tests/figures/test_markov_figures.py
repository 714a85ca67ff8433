"""The figures of chapter 2: their numbers are the chain's, and what makes no sense is refused."""

import re
from collections import Counter
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest

from headway.figures.core.page import number
from headway.figures.gallery.markov import compare_orders as orders
from headway.figures.gallery.markov.chain_road import Memory, road
from headway.figures.gallery.markov.chain_walk import chain_walk, in_layers, walk
from headway.figures.gallery.markov.memory_panels import Layout
from headway.figures.gallery.markov.two_memories import two_memories
from headway.figures.gallery.shared.heat_map import heat_map
from headway.ngram.markov import MarkovChain
from headway.text.vocabulary import Vocabulary
from tests.figures.node import Cases
from tests.figures.shown import assert_on_page, assert_whole, part, svg_of, texts

TEXTS = ["check whether the battery ran down please"] * 4
TEXTS += ["check whether the program ran please"] * 6
WORDS = Vocabulary.from_text(" ".join(TEXTS), specials=())
IDS = [WORDS.encode(text) for text in TEXTS]
CHAIN = MarkovChain(IDS, len(WORDS))
P = CHAIN.transition_matrix()
STATES = [*WORDS.symbols, "(boundary)"]
DRAWS = np.random.default_rng(0).random((2, 400))
ROWS = np.array([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]])


def check_walk(**changes):
    given = {"states": STATES, "matrix": P, "start": "(boundary)", "draws": DRAWS}
    return chain_walk(**given | changes)


def check_map(**changes):
    given = {"rows": STATES, "columns": STATES, "matrix": P, "start": ("ran", "down")}
    return heat_map(**given | changes, title="Doubt")


def compared(**changes):
    given = {
        "sentences": [["b"]], "orders": (1,), "distributions": [[ROWS]], "seen": [[[1, 2]]],
        "symbols": ["a", "b", "end"],
    }  # fmt: skip
    return orders.compare_orders(**given | changes)


def memory(order, texts=IDS):
    chain = MarkovChain(texts, len(WORDS), order)
    return Memory(chain.contexts, chain.matrix())


def drawn(of=(1, 2), sentence=IDS[0], texts=IDS):
    chains = [memory(order, texts) for order in of]
    return two_memories(chains, sentence, WORDS.symbols, "Two memories", "Play.")


def test_a_walk_goes_only_where_the_matrix_allows_and_as_often_as_it_says():
    path = walk(P, CHAIN.boundary, np.random.default_rng(1).random(30_000))
    before = np.concatenate([[CHAIN.boundary], path[:-1]])
    counts = np.zeros_like(P)
    np.add.at(counts, (before, path), 1)
    assert not counts[P == 0].any()
    np.testing.assert_allclose(counts / counts.sum(axis=1, keepdims=True), P, atol=0.03)


def test_a_draw_picks_the_part_in_which_it_falls_even_where_a_row_rounds_to_less():
    for draw, word in [(0.0, "down"), (0.3999, "down"), (0.4, "please")]:
        assert STATES[walk(P, WORDS.id("ran"), np.array([draw]))[0]] == word
    assert walk(np.full((10, 10), 0.1), 0, np.array([np.nextafter(1, 0)]))[0] == 9


def test_the_walk_names_its_branches_and_no_arrow_runs_past_a_layer():
    figure = check_walk()
    assert_on_page(figure)
    assert "after ran: down 0.4, please 0.6" in figure.alt
    assert len(figure.rows) == (P > 0).sum()
    places = in_layers(P, CHAIN.boundary)
    assert len({tuple(place) for place in places}) == len(STATES)
    heights = sorted(set(places[:, 1]))
    layers = [heights.index(height) for height in places[:, 1]]
    assert all(layers[j] <= layers[i] + 1 for i, j in np.argwhere(P > 0))


def test_a_heat_map_says_the_row_under_its_cursor():
    figure = check_map()
    assert_on_page(figure)
    assert "The row of “ran” has down 0.4, please 0.6; 7 rows hold a single one" in figure.alt
    assert figure.data["matrix"] == P.tolist()
    empty = check_map(rows=["a"], columns=["b", "c"], matrix=[[0, 0]], start=("a", "b"))
    assert "has zeros only" in empty.alt


def test_the_comparison_has_the_likeliest_words_and_the_probability_of_the_true_one():
    figure = compared(
        orders=(1, 2), distributions=[[ROWS], [ROWS[::-1]]], seen=[[[5, 0]], [[1, 2]]], top=2
    )
    assert_on_page(figure)
    first, second = figure.data["sentences"][0]["models"]
    assert first[0] == {"p": 0.2, "seen": 5, "top": [["(end)", 0.7], ["b", 0.2]]}
    assert second[1]["p"] == 0.7  # the end
    assert second[0]["top"] == [["(end)", 0.4], ["a", 0.3]]  # of equal ones the first
    assert figure.rows == [["b", "0.2", "5", "0.3", "1"], ["(end)", "0.4", "0", "0.7", "2"]]
    assert "order 1 gives it 0.2; order 2 gives it 0.3" in figure.alt


def test_a_tiny_probability_never_looks_like_zero():
    figure = compared(distributions=[[np.array([[1 - 4e-8, 4e-8, 0], [0.5, 0.5, 0]])]])
    assert figure.data["sentences"][0]["models"][0][0]["p"] == 4e-8
    assert [row[1] for row in figure.rows] == ["< 0.00001", "0"]
    assert "order 1 gives it < 0.0001" in figure.alt


@pytest.mark.parametrize("order", [1, 2, 3])
def test_a_road_is_the_chain_s_matrix_and_multiplies_up_to_what_the_chain_says(order):
    chain = MarkovChain(IDS, len(WORDS), order)
    for sentence in (IDS[0], IDS[-1]):
        found = road(memory(order), sentence, WORDS.symbols)
        assert found.products[-1] == pytest.approx(np.exp(chain.log_likelihood([sentence])))
        assert found.perplexity == pytest.approx(chain.perplexity([sentence]))
    matrix = chain.matrix()
    assert sorted(p for *_, p in found.arrows) == pytest.approx(sorted(matrix[matrix > 0]))
    assert all(found.columns[i] < found.columns[j] for i, j, _ in found.arrows)


def test_the_drawing_has_a_bar_for_each_product_and_both_perplexities():
    figure = drawn()
    assert_whole(figure)
    said = texts(svg_of(figure))
    for order, steps in ((1, (2, 3, 4)), (2, (6, 7))):
        found = road(memory(order), IDS[0], WORDS.symbols)
        assert {number(p, 3) for p in found.products} | {number(found.perplexity, 2)} <= set(said)
        bars = [bar for step in steps for bar in part(figure, step).iter("rect")]
        tall = [float(bar.get("height")) for bar in bars if "hw-column" in bar.get("class")]
        np.testing.assert_allclose(tall, np.maximum(1.5, 52 * found.products), atol=0.06)
    assert [row[2] for row in figure.rows[:-1]] == ["1"] * 3 + ["0.4"] * 2 + ["0.16"] * 3
    assert figure.rows[-1] == ["perplexity", "", "1.257", "", "1.121"]
    assert "0.16, so the perplexity is 1.26" in figure.data["steps"][3]
    assert "“ran” and “please”" in figure.data["steps"][4]
    assert_whole(drawn(sentence=IDS[-1]))


def test_on_a_narrow_page_the_sentence_leads_down_and_says_the_same():
    figure = drawn()
    said = set(texts(svg_of(figure)))
    assert said ^ set(texts(ElementTree.fromstring(figure.upright))) == {
        "probability so far", "probability", "so far",
    }  # fmt: skip
    roads = [road(memory(order), IDS[0], WORDS.symbols) for order in (1, 2)]
    across, below = Layout(roads, upright=False), Layout(roads, upright=True)
    for one in roads:
        walked = [[layout.places(one)[i] for i in one.path] for layout in (across, below)]
        assert all(np.all(np.diff([along for along, _ in way]) > 0) for way in walked)
        right = max(x + below.half(one, i)[0] for i, (_, x) in enumerate(below.places(one)))
        assert right < 200, "bars begin there"


def chain_of(contexts, matrix):
    return Memory(np.array(contexts), np.array(matrix))


@pytest.mark.parametrize(
    ("make", "changes", "says"),
    [
        (check_walk, {"states": STATES[:-1]}, "shape (8, 8), got (9, 9)"),
        (check_walk, {"states": ["a"] * 9}, "different states"),
        (check_walk, {"matrix": P.T}, "sum to one"),
        (check_walk, {"start": "dog"}, "'dog' is not one of"),
        (check_walk, {"draws": DRAWS + 1}, "draws must be"),
        (check_walk, {"matrix": np.eye(9)}, "8 states cannot be reached"),
        (check_walk, {"matrix": np.full((9, 9), 1 / 9)}, "8 states in a layer; 3 are legible"),
        (check_map, {"rows": STATES[:-1]}, "(8, 9), got shape (9, 9)"),
        (check_map, {"matrix": P - 1}, "sum to one"),
        (check_map, {"start": ("ran", "dog")}, "'dog' is not one of"),
        (check_map, {"rows": list("abcdefghijklmnopq"), "matrix": np.ones((17, 9)) / 9}, "legible"),
        (compared, {"distributions": [[ROWS[:1]]]}, "over 3 words; 'order 1' gives (1, 3)"),
        (compared, {"seen": [[[1, 2, 3]]]}, "contexts (3,)"),
        (compared, {"start": (0, 2)}, "no place"),
        (chain_of, {"contexts": [0, 1], "matrix": [[0, 1], [1, 0]]}, "got (2,) and (2, 2)"),
        (chain_of, {"contexts": [[0], [1]], "matrix": [[0.5, 0.4], [1, 0]]}, "sum to one"),
        (drawn, {"of": (1, 1)}, "different orders from 1 to 3 can be drawn, got [1, 1]"),
        (drawn, {"sentence": WORDS.encode("check the battery")}, "battery” has probability 0"),
        (drawn, {"texts": [*IDS, WORDS.encode("check the check please")]}, "come back"),
        (drawn, {"texts": [*IDS, *map(WORDS.encode, (["ran"], ["down"]))]}, "columns of"),
    ],
)
def test_what_makes_no_sense_is_refused(make, changes, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        make(**changes)


CASES = Cases()
of_walk, of_orders, of_map = map(CASES.of, ("chain_walk", "compare_orders", "heat_map"))
NAMES = ["<s>", "a", "b", "c"]
STEPS = np.array([[0, 0.75, 0.25, 0], [0, 0, 0.5, 0.5], [0.125, 0, 0, 0.875], [1, 0, 0, 0]])
DRAWN = np.random.default_rng(0).integers(0, 10_000, size=200)
WALKED = [NAMES[i] for i in walk(STEPS, 0, DRAWN / 1e4)]
WRITTEN = Counter(s.strip() for s in " ".join(WALKED).split("<s>")[:-1][:20])
given = {"chain": {"states": NAMES, "matrix": STEPS.tolist(), "start": 0}, "draws": DRAWN}


def price(sentence: str) -> float:
    path = [0, *map(NAMES.index, sentence.split()), 0]
    return float(np.prod([STEPS[i, j] for i, j in pairwise(path)]))


of_walk(
    "a walk goes where Python's walk goes",
    "draws.reduce(([walk, path]) => (draw(walk, chain, draws), [walk, [...path, walk.here]]), "
    "[fresh(0), []])[1].map((i) => chain.states[i])",
    WALKED,
    **given,
)
of_walk(
    "twenty sentences are those of the draws",
    "[...write(fresh(0), chain, draws, 20).tally].map(([words, { times }]) => [words, times])",
    [list(pair) for pair in WRITTEN.items()],
    **given,
)
of_walk(
    "the probability of a sentence is the product of its steps",
    "[...write(fresh(0), chain, draws, 20).tally.values()].map((s) => s.chance)",
    np.array([price(sentence) for sentence in WRITTEN]),
    **given,
)
of_walk(
    "draws that are used up end the walk",
    "[write(fresh(0), chain, draws.slice(0, 3), 20)].map((w) => [w.used, draw(w, chain, [])])[0]",
    [3, ""],
    **given,
)
of_walk(
    "a sentence in which the reader chose a word is not counted, the next one is",
    "[[1, true], [3, false], [0, false], [1, false], [3, false], [0, false]].reduce("
    "(walk, [j, chosen]) => (go(walk, chain, j, '', chosen), walk), fresh(0)).tally",
    {"a c": {"times": 1, "chance": price("a c")}},
    **given,
)
of_orders(
    "the price of a sentence is its negative log-likelihood",
    "priceOf([0.5, 0.01, 1, 0.3].map((p) => ({ p })))",
    -np.log([0.5, 0.01, 1.0, 0.3]).sum(),
)
CHANCES = [0, 1e-6, 0.00004, 0.00006, 0.0123, 1]
of_orders(
    "what is not zero never looks like zero",
    "chances.map((p) => chance(p, 4))",
    [orders.chance(p, 4) for p in CHANCES],
    chances=CHANCES,
)
of_map(
    "the doubt of a row is its entropy, and a row of zeros leaves none",
    "rows.map(doubtOf)",
    np.array([-sum(p * np.log(p) for p in row if p > 0) for row in [*STEPS, [0, 0, 0, 0]]]),
    rows=[*STEPS.tolist(), [0, 0, 0, 0]],
)


@pytest.mark.parametrize("name", CASES)
def test_a_script_computes_what_python_computes(answers, name):
    CASES[name].check(answers[name])
