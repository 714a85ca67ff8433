"""The figures of chapter 16: their numbers are the model's, and what makes no sense is refused."""

import re
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from headway.figures.gallery.outlook.cost_curves import cost_curves, costs, crossing
from headway.figures.gallery.outlook.everybody_talks import Talk, everybody_talks
from headway.figures.gallery.outlook.family_chooser import Rule, decide, family_chooser
from headway.figures.gallery.outlook.sentence_graph import sentence_graph
from headway.inference.cost import attention_crossover, block_flops, layer_crossover
from tests.figures.node import Cases
from tests.figures.shown import assert_on_page, assert_whole, part, texts, widths

WEIGHTS = np.array([0.6, 0.25, 0.0, 0.05, 0.1])
VALUES = np.array([[1.0, -2.0], [0.5, 0.5], [9.0, 9.0], [0.0, 4.0], [2.0, 0.0]])
TALK = Talk(
    words=["the", "mint", "in", "pots", "smells"],
    asks=4,
    weights=WEIGHTS,
    values=VALUES,
    mixed=WEIGHTS @ VALUES,
    answer=("fresh", 0.87),
    reach=1,
)
EDGES = np.array([[[1, 0, 0], [0.5, 0.5, 0], [0.2, 0.76, 0.04]]])
QUESTIONS = {"color": ["red", "green"], "size": ["small", "large"]}
RULES = [
    Rule("both", "Both fit.", {"color": ["red"], "size": ["large"]}),
    Rule("green", "It is green.", {"color": ["green"]}),
    Rule("rest", "Nothing else fits."),
]


def drawn(**changes):
    return everybody_talks(replace(TALK, **changes), "They talk", "Play.")


def graph(**changes):
    given = {"words": list("abc"), "heads": ["h"], "weights": EDGES, "title": "T", "caption": "C"}
    return sentence_graph(**given | changes)


def curves(**changes):
    given = {"widths": [64, 768], "lengths": [16, 1_024], "width": 768, "length": 1_024}
    return cost_curves(**given | changes, title="T", caption="C")


def chooser(questions=QUESTIONS, rules=RULES):
    return family_chooser(questions, {"what is chosen": rules}, title="T", caption="C")


def test_a_line_is_drawn_for_each_pair_and_a_loop_for_each_word():
    figure = drawn()
    assert_whole(figure)
    everybody, near = part(figure, 2), part(figure, 5)
    assert len(widths(everybody, "ink")) == 5 * 4 / 2 + 5  # a line carries both directions
    assert "5 × 5 = 25 edges" in texts(everybody)
    assert "13 edges" in texts(near)
    assert len(widths(near, "value")) == 2  # into the word that asks: its neighbor, itself
    assert len(widths(near, "ink")) == 4 + 3  # the other loops, and pairs without it


def test_edges_are_as_thick_as_their_weights_and_the_sum_of_messages_arrives():
    figure = drawn()
    wanted = [14 * 0.6, 14 * 0.25, 0.8, 0.8, 1.4]
    np.testing.assert_allclose(widths(part(figure, 3), "value"), wanted, atol=0.06)
    assert texts(part(figure, 3)) == ["60%", "25%", "5%", "10%"]  # and none for no weight
    said = texts(part(figure, 4))
    assert {"the", "0.60 ×", "mint", "0.25 ×", "smells", "0.10 ×"} <= set(said)
    assert "+ 2 more words, 0.05 together" in said
    arrives = [f"{x:.1f}".replace("-", "−") for x in TALK.mixed]
    assert said[said.index("what “smells” hears =") + 1 :][:2] == arrives
    assert "“smells fresh”, 87%" in said
    assert "and the thickest one is gone" in figure.data["steps"][4]
    assert "“the” to “smells” among them" in drawn(reach=4).data["steps"][4]


def test_the_graph_says_the_edges_into_its_word_the_heaviest_first():
    figure = graph(word=2)
    assert_on_page(figure)
    assert figure.alt.endswith("Edges into “c”: from “b” 0.76, from “a” 0.2.")  # and no light one
    assert figure.rows[2] == ["c", "0.2", "0.76", "0.04"]
    assert figure.data["weights"] == EDGES.tolist()


def test_the_curves_count_as_the_package_does_and_say_where_they_cross():
    for T, C in [(1, 64), (4_608, 768)]:
        flops = block_flops(T, T, C, 4 * C, 4)
        pairs = flops.scores + flops.mixing
        assert costs(T, C, whole=False) == (flops.projections, pairs)
        assert costs(T, C, whole=True) == (flops.projections + flops.feed_forward, pairs)
        assert crossing(C, whole=False) == attention_crossover(C, 4)
        assert crossing(C, whole=True) == layer_crossover(C, 4 * C, 4)
    figure = curves()
    assert_on_page(figure)
    assert figure.data == {"widths": [64, 768], "lengths": [16, 1_024], "width": 1, "length": 1}
    assert "cross at 4,608 tokens" in figure.alt
    assert figure.rows == [["64", "128", "384"], ["768", "1,536", "4,608"]]


def test_the_first_rule_that_fits_decides_and_the_chooser_says_every_rule():
    answers = [dict(zip(QUESTIONS, one, strict=True)) for one in product(*QUESTIONS.values())]
    assert [decide(RULES, one).choose for one in answers] == ["rest", "both", "green", "green"]
    figure = chooser()
    assert_on_page(figure)
    assert figure.alt == "color: red. size: small. what is chosen: rest."
    assert [row[1] for row in figure.rows] == [
        "color: red; size: large", "color: green", "in all other cases",
    ]  # fmt: skip
    assert figure.data["decisions"][0]["rules"][0]["when"] == [[0, [0]], [1, [1]]]


@pytest.mark.parametrize(
    ("make", "changes", "says"),
    [
        (drawn, {"weights": WEIGHTS[:4]}, "5 words need weights (5,)"),
        (drawn, {"asks": 5}, "word 5 asks"),
        (drawn, {"weights": WEIGHTS / 2}, "sum to one, got 0.500"),
        (drawn, {"mixed": np.zeros(2)}, "the weighted mean of the values"),
        (drawn, {"reach": 0}, "a reach from 1 to 4; got 5, 2 and 0"),
        (drawn, {"values": np.zeros((5, 9)), "mixed": np.zeros(9)}, "up to 8 numbers each"),
        (graph, {"words": list("ab")}, "2 words and 1 heads need weights (1, 2, 2)"),
        (graph, {"weights": EDGES / 2}, "must hold weights that sum to one"),
        (graph, {"weights": 2 * EDGES - EDGES[:, :, ::-1]}, "must hold weights that sum to one"),
        (graph, {"word": 3}, "does not exist"),
        (graph, {"words": ["a"], "weights": np.ones((1, 1, 1))}, "legible for 2 to"),
        (curves, {"widths": [768, 64]}, "widths must rise"),
        (curves, {"lengths": [0, 16]}, "lengths must rise, from 1"),
        (curves, {"width": 65}, "width 65 and length 1024 must be among"),
        (chooser, {"questions": QUESTIONS | {"color": ["red"]}}, "'color' needs two"),
        (chooser, {"rules": RULES[:2]}, "the last rule of 'what is chosen', and no other"),
        (chooser, {"rules": [RULES[2], *RULES]}, "the last rule of 'what is chosen'"),
        (chooser, {"rules": [Rule("x", "y", {"color": ["blue"]}), RULES[2]]}, "for 'blue'"),
        (chooser, {"rules": [Rule("x", "y", {"shape": ["round"]}), RULES[2]]}, "asks 'shape'"),
    ],
)
def test_what_makes_no_sense_is_refused(make, changes, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        make(**changes)


CASES = Cases()
of_graph, of_curves = CASES.of("sentence_graph"), CASES.of("cost_curves")
of_graph(
    "edges as heavy as the limit, from the column to the row",
    "edgesFrom(weights, 0.5)",
    [
        {"from": 0, "to": 0, "weight": 1},
        {"from": 0, "to": 1, "weight": 0.5},
        {"from": 1, "to": 1, "weight": 0.5},
        {"from": 1, "to": 2, "weight": 0.76},
    ],
    weights=EDGES[0],
)
of_graph("a weight of zero is no edge", "edgesFrom(weights, 0).length", 6, weights=EDGES[0])
of_graph(
    "the edges into a word and out of one, the heaviest first",
    "[true, false].map((into) => touching(edgesFrom(weights, 0), 1, into).map((e) => e.weight))",
    [[0.5, 0.5], [0.76, 0.5]],
    weights=EDGES[0],
)
SITUATIONS = [(1, 64, True), (1_024, 768, False), (262_144, 12_288, True)]
of_curves(
    "FLOPs that grow with the length and with its square, and where they cross",
    "situations.map(([T, C, whole]) => [...costs(T, C, whole), crossing(C, whole)])",
    np.array([[*costs(*one), crossing(*one[1:])] for one in SITUATIONS], dtype=float),
    situations=SITUATIONS,
)
CASES.of("family_chooser")(
    "the first rule that fits decides",
    "[[0, 0], [0, 1], [1, 0], [1, 1]].map((answers) => decide(rules, answers))",
    [2, 0, 1, 1],
    rules=[{"when": [[0, [0]], [1, [1]]]}, {"when": [[0, [1]]]}, {"when": []}],
)


@pytest.mark.parametrize("name", CASES)
def test_a_script_computes_what_python_computes(answers, name):
    CASES[name].check(answers[name])
