"""The live translator: what it is given, what is refused, and what its scripts compute."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from headway.figures.core.scripts import figure_folder
from headway.figures.gallery.translator.live_translator import (
    Machine,
    Translated,
    followers,
    live_translator,
)
from headway.figures.gallery.translator.live_translator.threads import LEAST, LYING, STANDING
from tests.figures.node import run
from tests.figures.shown import assert_on_page

MACHINE = Machine(
    {"vocabulary": 3, "source_vocabulary": 2, "layers": 1}, {"one": np.ones(2)}, ["<end>", "a"],
    ["<end>", "b", "c"], *(1, 0, ["a a"]),
)  # fmt: skip
TRANSLATED = Translated(
    *(["a", "<end>"], ["b", "<end>"], [[("b", 0.75), ("c", 0.25)], [("<end>", 1.0)]]),
    np.array([[[0.75, 0.25], [0.25, 0.75]]]),
)
WORDS = ["I", "a", "cat", "cats", "old", "see"]
FOLLOWERS = {"": ["a", "I"], "see": ["a", "cats"]}


def figure(machine=MACHINE, example=TRANSLATED, examples=("a",), **more):
    return live_translator(machine, example, examples, title="T", caption="C", **more)


def ask(module: str, expression: str, **given):
    """What an expression in the names that a module of the figure exports evaluates to."""
    program = (
        "const exported = await import(given.script); const scope = { ...exported, ...given };"
        "const evaluate = new Function(...Object.keys(scope), `return ${given.expression}`);"
        "answer(evaluate(...Object.values(scope)));"
    )
    script = (figure_folder("live_translator") / module).as_uri()
    return run(program, {"script": script, "expression": expression, **given})


def test_the_page_is_given_a_sentence_in_words_and_the_file_the_model():
    shown = figure()
    assert_on_page(shown)
    assert shown.data["example"]["said"] == ["b", "<end>"]
    assert "model" not in shown.data
    assert shown.attached["model"]["tensors"] == [["one", [2]]]
    assert shown.attached["followers"] == {"": ["a"], "a": ["a"]}
    assert "“a” becomes “b”" in shown.alt
    assert "“b” looks most at “a”, “<end>” looks most at “<end>”" in shown.alt


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"machine": replace(MACHINE, french=["b"])}, "french has 1 symbols, the model 3"),
        ({"machine": replace(MACHINE, english=["b"])}, "english has 1 symbols, the model 2"),
        ({"example": replace(TRANSLATED, weights=np.ones((1, 1, 2)))}, r"\(H, 2, 2\)"),
        ({"example": replace(TRANSLATED, likeliest=[])}, "got .* and 0"),
        ({"examples": ["b"]}, "the first of the examples must be 'a'"),
        ({"examples": ["a", "a zebra"]}, "does not know zebra"),
        ({"beams": 1}, "one beam is greedy"),
    ],
)
def test_what_does_not_fit_is_refused(changed, says):
    with pytest.raises(ValueError, match=says):
        figure(**changed)


def test_what_follows_a_word_most_often_comes_first():
    assert followers(["the cat", "the old cat", "the old dog"]) == {
        "": ["the"], "the": ["old", "cat"], "old": ["cat", "dog"],
    }  # fmt: skip


def test_words_are_read_in_the_spelling_of_the_vocabulary():
    typed = {
        "i SEE a  cat.": (["I", "see", "a", "cat"], [], False),
        "I ca": (["I", "ca"], ["ca"], True),
        "ca I": (["ca", "I"], ["ca"], False),
        "": ([], [], False),
    }
    found = ask(
        *("translate.js", "typed.map((text) => readWords(text, words))"),
        **{"typed": list(typed), "words": WORDS},
    )
    assert [tuple(one.values()) for one in found] == list(typed.values())
    assert ask("translate.js", "spell(['j\\'', 'aime', '<end>'])") == "j'aime"


def test_words_that_may_follow_are_offered_first_and_none_that_is_complete():
    offered = {
        ("I see a c", 9): ["cat", "cats"],
        (" I see a c", 0): ["a", "I"],  # nothing typed there yet: what begins a sentence
        ("see c", 5): ["cats", "cat"],  # what follows “see” comes first
        ("see ", 4): ["a", "cats"],
        ("I O", 3): ["old"],
        ("I x", 3): [],
        ("cat", 2): ["cats"],
    }
    found = ask(
        *("typing.js", "typed.map((at) => completions(...at, words, followers))"),
        **{"typed": list(offered), "words": WORDS, "followers": FOLLOWERS},
    )
    assert found == list(offered.values())


LONG = Translated(
    ["my", "quiet", "interesting", "neighbors", "<end>"],
    ["mes", "voisins", "tranquilles", "<end>"],
    [[("mes", 1.0)]] * 4,
    np.array([[[0.8, 0.18, 0, 0.02, 0], [0, 0, 0, 1, 0], [0, 0.6, 0.3, 0, 0.1], [0, 0, 0, 0, 1]]]),
)  # fmt: skip


def drawings(translated):
    """The two forms of a picture, as trees."""
    machine = replace(
        MACHINE, english=[*translated.source], config=MACHINE.config | {"source_vocabulary": 5}
    )
    made = figure(machine, translated, [" ".join(translated.source[:-1])])
    return [ElementTree.fromstring(svg) for svg in (made.lying, made.standing)]


def test_threads_are_as_thick_as_their_weights_and_lie_side_by_side():
    weights = LONG.weights[0]
    for form, svg in zip((LYING, STANDING), drawings(LONG), strict=True):
        runs = [g for g in svg.iter("g") if "hw-thread" in g.get("class", "")]
        assert len(runs[-1]) == 0, "the threads of the end are seen where one points at it"
        for row, paths in zip(weights[:-1], runs[:-1], strict=True):
            drawn = [float(path.get("stroke-width")) for path in paths]
            assert drawn == pytest.approx(form.thick * row[row >= LEAST], abs=0.05)
        (first, second) = ([*map(float, re.findall(r"[\d.]+", path.get("d")))] for path in runs[0])
        along = 0 if form is LYING else 1  # threads end in a pair (x, y)
        between = second[-2:][along] - first[-2:][along]
        assert between == pytest.approx(form.thick * (0.8 + 0.18) / 2, abs=0.11)


def test_words_keep_in_the_picture_and_the_end_is_a_full_stop():
    for svg in drawings(LONG):
        width, height = map(float, svg.get("viewBox").split()[2:])
        texts = [*svg.iter("text")]
        assert [one.text for one in texts].count(".") == 2
        for one in texts:
            assert 0 <= float(one.get("x")) <= width
            assert 0 <= float(one.get("y")) <= height
    lying, _ = drawings(LONG)
    middles = [float(one.get("x")) for one in lying.iter("text")]
    assert middles[:5] == sorted(middles[:5])


def test_the_script_draws_the_picture_that_the_page_brings_along():
    told = {"source": LONG.source, "said": LONG.said, "weights": LONG.weights[0].tolist()}
    for standing, svg in enumerate(drawings(LONG)):
        found = ask("threads.js", "layout(told, standing)", told=told, standing=bool(standing))
        assert svg.get("viewBox").split()[2:] == [f"{found[k]:g}" for k in ("width", "height")]
        words = [word for sentence in found["sentences"] for word in sentence]
        for word, text in zip(words, svg.iter("text"), strict=True):
            assert word["letters"] == text.text
            assert [word["x"], word["y"]] == pytest.approx(
                [float(text.get("x")), float(text.get("y"))], abs=0.051
            )
        paths = [*svg.iter("path")]
        assert {line["t"] for line in found["lines"][len(paths) :]} == {len(LONG.said) - 1}
        for line, path in zip(found["lines"], paths, strict=False):
            there = [[*map(float, re.findall(r"[\d.]+", d))] for d in (line["d"], path.get("d"))]
            assert there[0] == pytest.approx(there[1], abs=0.11)


def test_the_largest_size_of_no_numbers_is_one():
    assert ask("pieces.js", "[[[1, -3], [2, 0]], []].map(largestOf)") == [3, 1]
