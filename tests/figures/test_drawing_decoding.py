"""The search tree: it searches as the package does, prints its numbers, and refuses bad trees."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest
import torch

from headway.figures.gallery.search_tree import factors, grown, search_tree, searched
from headway.inference.beam import beam_search
from headway.inference.predictor import ChainPredictor
from headway.ngram.markov import MarkovChain
from headway.text.vocabulary import Vocabulary
from tests.figures.frame import assert_words_inside

SPLIT = {"a b c": 4, "a b d": 3, "a c": 2, "b": 1, "c c c": 6, "c d c": 1}


def figure(sentences=SPLIT, beams=2):
    return search_tree(sentences, beams, "It branches", "Play.")


def texts(svg: str) -> list[str]:
    return [one.text for one in ElementTree.fromstring(svg).iter("text")]


def sentences_of(seed: int) -> dict[str, int]:
    """Sentences of one length, written 1, 2, 4, … times: no two beginnings are equally likely."""
    rng = np.random.default_rng(seed)
    length = int(rng.integers(2, 5))
    found = {" ".join(rng.choice(list("abc"), size=length)) for _ in range(9)}
    return {text: 2**i for i, text in enumerate(rng.permutation(sorted(found)).tolist())}


@pytest.mark.parametrize("beams", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", range(6))
def test_what_it_finds_is_what_the_packages_beam_search_finds(seed, beams):
    sentences = sentences_of(seed)
    words = Vocabulary(" ".join(sentences).split(), specials=())
    said = [words.encode(text.split()) for text, n in sentences.items() for _ in range(n)]
    chain = MarkovChain(said, len(words), order=4)
    start, end = torch.tensor([[chain.boundary]]), chain.boundary
    found = beam_search(ChainPredictor(chain), start, 6, beams, end=end, length_penalty=0.0)
    best = words.decode([i for i in found.best[0].tolist() if i != end])
    tree = grown(sentences)
    drawn = searched(tree, beams)[-1].kept[0]
    assert list(drawn) == best
    assert tree.shares[drawn] == pytest.approx(found.scores[0, 0].exp().item())


def test_a_step_keeps_the_likeliest_of_all_continuations():
    steps = searched(grown(SPLIT), 2)
    kept = [["".join(beginning) for beginning in step.kept] for step in steps]
    assert kept == [["a", "c"], ["ab", "cc"], ["ccc", "abc"]]
    assert [len(step.candidates) for step in steps] == [3, 4, 3]


def test_a_sentence_that_is_whole_waits_and_competes():
    steps = searched(grown({"a": 4, "b c": 3, "b d": 2, "c c": 1}), 2)
    assert [step.kept for step in steps][1:] == [[("a",), ("b", "c")]]


def test_it_prints_every_beginning_with_its_probability_and_the_factors():
    drawn = figure()
    said, tree = texts(drawn.drawing), grown(SPLIT)
    for share in tree.shares.values():
        assert share == 1 or f"{share:.2f}" in said
    assert factors(tree, ("a", "b", "c")) == "0.53 · 0.78 · 0.57"
    assert {"× 0.53", "× 0.78", "× 0.86", "greedy", "found"} <= set(said)
    assert "0.53 · 0.78 · 0.57 = 0.24" in drawn.data["steps"][1]
    assert "0.41 · 0.86 · 1 = 0.35" in drawn.data["steps"][-1]
    assert len(drawn.data["steps"]) == 2 + 3 + 1
    assert drawn.rows[0] == ["1", "“a”", "0.53", "b 0.06"]


def test_lines_are_as_thick_as_their_beginnings_are_likely():
    widths = re.findall(r'hw-of-query" stroke-width="([\d.]+)"', figure().drawing)
    wanted = [9 / 17, 7 / 17, 7 / 17, 6 / 17, 6 / 17, 4 / 17]
    np.testing.assert_allclose([float(w) for w in widths], 14 * np.array(wanted), atol=0.06)


def test_what_is_dropped_fades_one_step_later():
    svg = ElementTree.fromstring(figure().drawing)
    faded = [(g.get("data-step"), g.get("data-until")) for g in svg.iter("g") if g.get("class")]
    assert faded == [("3", "4"), ("4", "5"), ("5", "6")]


def test_it_is_whole_without_scripts_and_nothing_leaves_its_frame():
    drawn = figure()
    svg = ElementTree.fromstring(drawn.drawing)
    assert_words_inside(svg)
    steps = {int(group.get("data-step")) for group in svg.iter("g")}
    assert steps == set(range(1, len(drawn.data["steps"]) + 1))
    assert "Found: “c c c” 0.35" in svg.get("aria-label")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"sentences": {"a": 1}}, "2 to 16 sentences"),
        ({"sentences": {"a b c d e": 1, "b": 1}}, "1 to 4 words"),
        ({"sentences": {"": 1, "b": 1}}, "1 to 4 words"),
        ({"sentences": {"a": 1, "anticonstitutionnellement": 1}}, "up to 10 letters"),
        ({"sentences": {"a": 1, "a b": 1}}, "“a” begins another sentence"),
        ({"sentences": {"a": 0, "b": 1}}, "1 at least"),
        ({"beams": 0}, "1 at least"),
    ],
)
def test_what_cannot_be_drawn_is_refused(changes, says):
    with pytest.raises(ValueError, match=says):
        figure(**changes)
