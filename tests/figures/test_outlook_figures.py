"""The figures of chapter 16: what the scripts get, what is said in words, and what is refused."""

from itertools import product

import numpy as np
import pytest

from headway.figures.gallery.cost_curves import cost_curves, costs, crossing
from headway.figures.gallery.family_chooser import Rule, decide, family_chooser
from headway.figures.gallery.sentence_graph import sentence_graph
from headway.inference.cost import attention_crossover, block_flops, layer_crossover

WEIGHTS = np.array([[[1, 0, 0], [0.5, 0.5, 0], [0.2, 0.76, 0.04]]])


def graph(**changes):
    given = {"words": list("abc"), "heads": ["h"], "weights": WEIGHTS, "title": "T", "caption": "C"}
    return sentence_graph(**given | changes)


def test_the_graph_says_the_edges_into_its_word_the_heaviest_first():
    figure = graph(word=2)
    assert figure.alt.endswith("Edges into “c”: from “b” 0.76, from “a” 0.2.")  # and no light one
    assert figure.rows[2] == ["c", "0.2", "0.76", "0.04"]
    assert figure.data["weights"] == WEIGHTS.tolist()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"words": list("ab")}, r"2 words and 1 heads need weights \(1, 2, 2\)"),
        ({"heads": ["h", "i"]}, r"need weights \(2, 3, 3\)"),
        ({"weights": WEIGHTS / 2}, "must hold weights that sum to one"),
        ({"weights": 2 * WEIGHTS - WEIGHTS[:, :, ::-1]}, "must hold weights that sum to one"),
        ({"word": 3}, "does not exist"),
        ({"head": 1}, "does not exist"),
        ({"words": ["a"], "weights": np.ones((1, 1, 1))}, "legible for 2 to"),
    ],
)
def test_a_graph_that_does_not_fit_is_refused(changes, says):
    with pytest.raises(ValueError, match=says):
        graph(**changes)


@pytest.mark.parametrize(("T", "C"), [(1, 64), (30, 1_000), (4_608, 768)])
def test_the_curves_count_as_the_package_does(T, C):
    flops = block_flops(T, T, C, 4 * C, 4)
    pairs = flops.scores + flops.mixing
    assert costs(T, C, whole=False) == (flops.projections, pairs)
    assert costs(T, C, whole=True) == (flops.projections + flops.feed_forward, pairs)
    assert crossing(C, whole=False) == attention_crossover(C, 4)
    assert crossing(C, whole=True) == layer_crossover(C, 4 * C, 4)


def test_the_curves_say_where_they_cross():
    figure = cost_curves([64, 768], [16, 1_024], "T", "C", width=768, length=1_024)
    assert figure.data == {"widths": [64, 768], "lengths": [16, 1_024], "width": 1, "length": 1}
    assert "cross at 4,608 tokens" in figure.alt
    assert figure.rows == [["64", "128", "384"], ["768", "1,536", "4,608"]]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"widths": [768, 64]}, "widths must rise"),
        ({"widths": []}, "widths must rise"),
        ({"lengths": [0, 16]}, "lengths must rise, from 1"),
        ({"lengths": [16]}, "must be among those given"),
        ({"width": 65}, "width 65 and length 32 must be among"),
        ({"length": 17}, "must be among those given"),
    ],
)
def test_curves_that_make_no_sense_are_refused(changes, says):
    given = {"widths": [64, 768], "lengths": [16, 32], "width": 64, "length": 32}
    with pytest.raises(ValueError, match=says):
        cost_curves(**given | changes, title="T", caption="C")


QUESTIONS = {"color": ["red", "green"], "size": ["small", "large"]}
RULES = [
    Rule("both", "Both fit.", {"color": ["red"], "size": ["large"]}),
    Rule("green", "It is green.", {"color": ["green"]}),
    Rule("rest", "Nothing else fits."),
]


def chooser(questions=None, rules=RULES):
    return family_chooser(questions or QUESTIONS, {"what": rules}, title="T", caption="C")


def test_the_first_rule_that_fits_decides():
    chosen = [
        decide(RULES, dict(zip(QUESTIONS, answers, strict=True))).choose
        for answers in product(*QUESTIONS.values())
    ]
    assert chosen == ["rest", "both", "green", "green"]


def test_the_chooser_says_every_rule_and_what_follows_at_first():
    figure = chooser()
    assert figure.alt == "color: red. size: small. what: rest."
    assert [row[1] for row in figure.rows] == [
        "color: red; size: large", "color: green", "in all other cases",
    ]  # fmt: skip
    assert figure.data["decisions"][0]["rules"][0]["when"] == [[0, [0]], [1, [1]]]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"questions": {"color": ["red"], "size": ["small", "large"]}}, "'color' needs two"),
        ({"rules": RULES[:2]}, "the last rule of 'what', and no other, must fit always"),
        ({"rules": [RULES[2], *RULES]}, "the last rule of 'what', and no other"),
        ({"rules": [Rule("x", "y", {"color": ["blue"]}), RULES[2]]}, "asks 'color' for 'blue'"),
        ({"rules": [Rule("x", "y", {"shape": ["round"]}), RULES[2]]}, "asks 'shape' for 'round'"),
    ],
)
def test_a_chooser_that_makes_no_sense_is_refused(changes, says):
    with pytest.raises(ValueError, match=says):
        chooser(**changes)
