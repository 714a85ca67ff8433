"""Two memories: the graphs are those of the chains, and the numbers are those of the sentence."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from headway.figures.core.page import number
from headway.figures.gallery.chain_road import Memory, in_columns, road
from headway.figures.gallery.two_memories import Layout, segments, two_memories
from headway.ngram.markov import MarkovChain
from headway.text.vocabulary import Vocabulary
from tests.figures.frame import assert_words_inside

TEXTS = ["check whether the battery ran down please"] * 4 + [
    "check whether the program ran please"
] * 6
WORDS = Vocabulary.from_text(" ".join(TEXTS), specials=())
IDS = [WORDS.encode(text) for text in TEXTS]
BATTERY, PROGRAM = IDS[0], IDS[-1]


def chain(order, texts=IDS):
    return MarkovChain(texts, len(WORDS), order)


def memory(order, texts=IDS):
    counted = chain(order, texts)
    return Memory(counted.contexts, counted.matrix())


def figure(orders=(1, 2), sentence=BATTERY, texts=IDS):
    chains = [memory(order, texts) for order in orders]
    return two_memories(chains, sentence, WORDS.symbols, "Two memories", "Play.")


def texts(svg: str) -> list[str]:
    return [one.text for one in ElementTree.fromstring(svg).iter("text")]


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("sentence", [BATTERY, PROGRAM], ids=["battery", "program"])
def test_a_walk_multiplies_up_to_what_the_chain_says_of_the_sentence(order, sentence):
    found = road(memory(order), sentence, WORDS.symbols)
    assert found.products[-1] == pytest.approx(np.exp(chain(order).log_likelihood([sentence])))
    assert found.perplexity == pytest.approx(chain(order).perplexity([sentence]))
    assert len(found.factors) == len(sentence) + 1 == len(found.path) - 1


@pytest.mark.parametrize("order", [1, 2])
def test_the_arrows_are_the_cells_of_the_matrix_that_are_not_zero(order):
    found = road(memory(order), BATTERY, WORDS.symbols)
    P = chain(order).matrix()
    assert len(found.arrows) == np.count_nonzero(P)
    assert sorted(p for *_, p in found.arrows) == pytest.approx(sorted(P[P > 0]))
    out = np.bincount([i for i, _, _ in found.arrows], [p for *_, p in found.arrows])
    np.testing.assert_allclose(out, 1)  # whatever leaves a state adds up to one


def test_a_longer_memory_has_more_states_of_one_word_and_fewer_choices():
    one, two = (road(memory(n), BATTERY, WORDS.symbols) for n in (1, 2))
    assert [name for name in one.names if name[-1] == "ran"] == [("ran",)]
    assert {name for name in two.names if name[-1] == "ran"} == {
        ("battery", "ran"),
        ("program", "ran"),
    }
    assert segments(one.factors) == [(0, 4), (4, 6), (6, 8)]
    assert segments(two.factors) == [(0, 4), (4, 8)]


@pytest.mark.parametrize("order", [1, 2])
def test_arrows_lead_forward_and_no_two_states_share_a_place(order):
    found = road(memory(order), BATTERY, WORDS.symbols)
    assert all(found.columns[i] < found.columns[j] for i, j, _ in found.arrows)
    assert len(set(Layout.of([found]).places(found))) == len(found.names)


def test_it_prints_each_factor_and_product_and_both_perplexities():
    drawn = figure()
    said = texts(drawn.drawing)
    for order in (1, 2):
        found = road(memory(order), BATTERY, WORDS.symbols)
        assert number(found.perplexity, 2) in said
        for product in found.products:
            assert number(product, 3) in said
    assert [row[2] for row in drawn.rows[:-1]] == ["1"] * 3 + ["0.4"] * 2 + ["0.16"] * 3
    assert drawn.rows[-1] == ["perplexity", "", "1.257", "", "1.121"]
    assert len(drawn.data["steps"]) == 7
    assert "0.16, so the perplexity is 1.26" in drawn.data["steps"][3]
    assert "“ran” and “please”" in drawn.data["steps"][4]


def test_a_step_shows_its_part_and_nothing_leaves_the_frame():
    svg = ElementTree.fromstring(figure(sentence=PROGRAM).drawing)
    assert_words_inside(svg)
    steps = [int(group.get("data-step")) for group in svg.iter("g") if group.get("data-step")]
    assert steps == list(range(1, len(steps) + 1))


@pytest.mark.parametrize(
    ("contexts", "matrix", "says"),
    [
        ([[0], [1]], [[0.5, 0.5]], "got (2, 1) and (1, 2)"),
        ([0, 1], [[0, 1], [1, 0]], "got (2,) and (2, 2)"),
        ([[0], [1]], [[0.5, 0.4], [1, 0]], "sum to one"),
        ([[0], [1]], [[1.5, -0.5], [1, 0]], "sum to one"),
    ],
)
def test_what_is_no_chain_is_refused(contexts, matrix, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        Memory(np.array(contexts), np.array(matrix))


def test_a_way_back_is_no_graph_with_a_first_and_a_last():
    with pytest.raises(ValueError, match="come back"):
        in_columns(3, [(0, 1, 1.0), (1, 2, 0.5), (2, 1, 1.0)], 0)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"orders": (1, 1)}, "two chains of different orders from 1 to 3 can be drawn, got [1, 1]"),
        ({"orders": (0, 1)}, "got [0, 1]"),
        ({"sentence": WORDS.encode("check the battery")}, "“check the battery” has probability 0"),
        ({"sentence": WORDS.encode("check whether the battery ran please")}, "has probability 0"),
        ({"texts": [*IDS, WORDS.encode("check the check please")]}, "come back"),
        ({"texts": [*IDS, *(WORDS.encode(w) for w in ("ran", "down", "please"))]}, "columns of"),
    ],
)
def test_what_cannot_be_drawn_is_refused(changes, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        figure(**changes)
