"""The live translator: what it is given, what is refused, and what its scripts compute."""

from dataclasses import replace

import numpy as np
import pytest

from headway.figures.core.scripts import GALLERY
from headway.figures.gallery.live_translator import followers, live_translator
from tests.figures.node import run
from tests.figures.test_interactive import MACHINE, TRANSLATED

WORDS = ["I", "a", "cat", "cats", "old", "see"]


def ask(module: str, expression: str, **given):
    """What an expression in the names that a module of the figure exports evaluates to."""
    program = (
        f"const {{ {expression.partition('(')[0]} }} = await import(given.script);"
        f"const {{ {', '.join(given) or 'script'} }} = given; answer({expression});"
    )
    return run(program, {"script": (GALLERY / "live_translator" / module).as_uri(), **given})


def figure(machine=MACHINE, example=TRANSLATED, examples=("a",), **more):
    return live_translator(machine, example, examples, title="T", caption="C", **more)


def test_the_page_is_given_a_sentence_and_the_file_the_model():
    shown = figure()
    assert shown.data["example"]["said"] == ["b"]
    assert "model" not in shown.data
    assert shown.attached["model"]["tensors"] == [["one", [2]]]
    assert shown.attached["followers"] == {"": ["a"], "a": ["a"]}


def test_the_picture_in_words_names_the_translation_and_what_each_word_looks_at():
    said = replace(TRANSLATED, said=["b", "<end>"], likeliest=[[("b", 1.0)]] * 2,
                   weights=np.array([[[0.9, 0.1], [0.2, 0.8]]]))  # fmt: skip
    alt = figure(example=said).alt
    assert "“a” becomes “b”" in alt
    assert "“b” looks most at “a”, “<end>” looks most at “<end>”" in alt


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"machine": replace(MACHINE, french=["b"])}, "french has 1 symbols, the model 3"),
        ({"machine": replace(MACHINE, english=["b"])}, "english has 1 symbols, the model 2"),
        ({"example": replace(TRANSLATED, weights=np.ones((1, 2, 2)))}, r"\(H, 1, 2\)"),
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


@pytest.mark.parametrize(
    ("text", "words", "unknown", "unfinished"),
    [
        ("i SEE a  cat.", ["I", "see", "a", "cat"], [], False),
        ("I ca", ["I", "ca"], ["ca"], True),
        ("ca I", ["ca", "I"], ["ca"], False),
        ("a zebra", ["a", "zebra"], ["zebra"], False),
        ("", [], [], False),
    ],
)
def test_words_are_read_in_the_spelling_of_the_vocabulary(text, words, unknown, unfinished):
    found = ask("translate.js", "readWords(text, vocabulary)", text=text, vocabulary=WORDS)
    assert found == {"words": words, "unknown": unknown, "unfinished": unfinished}


def test_elided_words_are_joined_and_symbols_left_out():
    assert ask("translate.js", "spell(words)", words=["j'", "aime", "<end>"]) == "j'aime"


@pytest.mark.parametrize(
    ("text", "caret", "expected"),
    [
        ("I see a c", 9, ["cat", "cats"]),
        ("I see a c", 0, ["a", "I"]),  # nothing typed there yet: what begins a sentence
        ("see c", 5, ["cats", "cat"]),  # what follows “see” comes first
        ("see ", 4, ["a", "cats"]),
        ("I O", 3, ["old"]),
        ("I x", 3, []),
    ],
)
def test_words_that_may_follow_are_offered_first(text, caret, expected):
    known = {"": ["a", "I"], "see": ["a", "cats"]}
    given = {"text": text, "caret": caret, "words": WORDS, "followers": known}
    if caret == 0:
        given["text"] = " " + text
    assert ask("typing.js", "completions(text, caret, words, followers)", **given) == expected


def test_a_word_that_is_complete_is_not_offered_again():
    given = {"text": "cat", "caret": 2, "words": WORDS, "followers": {}}
    assert ask("typing.js", "completions(text, caret, words, followers)", **given) == ["cats"]


def test_the_largest_size_of_no_numbers_is_one():
    assert ask("pieces.js", "largestOf(rows)", rows=[[1, -3], [2, 0]]) == 3
    assert ask("pieces.js", "largestOf(rows)", rows=[]) == 1
