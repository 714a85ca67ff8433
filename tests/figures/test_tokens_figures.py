"""The figures of chapter 5: their numbers are the package's, and what makes no sense is refused."""

import pytest

from headway.figures.core.page import number
from headway.figures.gallery.live_tokens import live_tokens
from headway.figures.gallery.merge_steps import merge_steps, states
from headway.figures.gallery.tokens import in_words, shown, width_of, wrapped
from headway.text.byte_pair import BytePairTokenizer
from tests.figures.node import Cases

TEXT = "aaabdaaabac"
WORDS = ["low lower lowest new newer newest"] * 3
TRAINED = BytePairTokenizer.train(WORDS, 270)


def check_merges(**changes):
    return merge_steps(
        **{"texts": [TEXT, "né né"], "title": "It merges", "caption": "Go."} | changes
    )


def check_live(**changes):
    given = {"tokenizer": TRAINED, "sizes": [256, 260, 270], "examples": ["lower new", "🙂"]}
    return live_tokens(**given | {"title": "It cuts", "caption": "Type."} | changes)


def test_a_token_is_shown_in_letters_or_in_hexadecimal():
    assert [shown(token) for token in (b" is", b"\n\t", "é".encode(), b"\xc3", b"\xf0\x9fa")] == [
        "␣is", "↵⇥", "é", "⟨C3⟩", "⟨F0⟩⟨9F⟩⟨61⟩",
    ]  # fmt: skip


def test_lines_of_tokens_are_no_wider_than_asked_and_lose_none():
    tokens = TRAINED.tokens("newest lowest " * 9)
    lines = wrapped(tokens, 3.0)
    assert [token for line in lines for token in line] == tokens
    assert all(sum(map(width_of, line)) <= 3.0 for line in lines)
    assert wrapped([b"a" * 99], 3.0) == [[b"a" * 99]]


@pytest.mark.parametrize(
    ("ties", "labels"),
    [("smallest", ["a + a", "a + b", "aa + ab"]), ("greatest", ["a + a", "aa + a", "aaa + b"])],
)
def test_the_picture_shows_the_text_after_each_merge(ties, labels):
    lines = states(TEXT, ties)
    assert [label for label, _ in lines] == ["at first", *labels]
    assert all(b"".join(tokens) == TEXT.encode() for _, tokens in lines)
    assert in_words(lines[-1][1]) == "aaab | d | aaab | a | c"
    figure = check_merges(ties=ties)
    assert figure.rows[-1] == [labels[-1], "5", "aaab | d | aaab | a | c"]
    assert f"{labels[1]}: " in figure.alt


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"texts": []}, "1 to 60 bytes"),
        ({"texts": ["a", ""]}, "1 to 60 bytes"),
        ({"texts": ["漢" * 21]}, "1 to 60 bytes"),
        ({"ties": "first"}, "got 'first'"),
        ({"rules": {"smallest": "the smallest"}}, "rules for ties are smallest, greatest"),
    ],
)
def test_a_text_that_cannot_be_merged_is_refused(changes, says):
    with pytest.raises(ValueError, match=says):
        check_merges(**changes)


def test_the_sentence_is_told_at_each_size():
    figure = check_live()
    cuts = [BytePairTokenizer.train(WORDS, size).tokens("lower new") for size in (256, 260, 270)]
    assert figure.rows == [
        [str(size), str(len(cut)), number(9 / len(cut), 2), in_words(cut)]
        for size, cut in zip((256, 260, 270), cuts, strict=True)
    ]
    assert len(cuts[0]) > len(cuts[1]) > len(cuts[2])
    assert figure.alt.endswith(f"is {len(cuts[2])} tokens: {in_words(cuts[2])}.")
    assert check_live(start=256).alt.endswith("is 9 tokens: l | o | w | e | r | ␣ | n | e | w.")
    assert len(figure.data["pairs"]) == 2 * len(TRAINED.merges)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"sizes": []}, "rise from 256 to 270"),
        ({"sizes": [255, 270]}, "rise from 256 to 270"),
        ({"sizes": [260, 256]}, "rise from 256 to 270"),
        ({"sizes": [256, 271]}, "rise from 256 to 270"),
        ({"start": 257}, "one of .256, 260, 270., got 257"),
        ({"examples": ["a", ""]}, "none may be empty"),
        (
            {"tokenizer": BytePairTokenizer.train(["abab"], 260, ("<s>",)), "sizes": [256]},
            "special",
        ),
    ],
)
def test_a_tokenizer_that_does_not_fit_is_refused(changes, says):
    with pytest.raises(ValueError, match=says):
        check_live(**changes)


CASES = Cases()
SYMBOLS = [[97], [98], [97, 98]]
for pairs, says in [
    ([], "No two tokens are neighbors: nothing is left to merge."),
    ([(0, 1, 1)], "No pair occurs twice: a merge would save nothing, and training ends."),
    ([(0, 1, 3), (2, 0, 2)], "Next: a + b, which occurs 3 times."),
    ([(0, 1, 2), (2, 0, 2)],
     "Next: a + b, which occurs 2 times, as one other does: the rule decides."),
    ([(0, 1, 2), (2, 0, 2), (1, 0, 2)],
     "Next: a + b, which occurs 2 times, as 2 others do: the rule decides."),
]:  # fmt: skip
    CASES.add(
        f"the reason for the next merge of {len(pairs)} pairs: {says}",
        *("merge_steps", "reason(pairs, symbols)", says),
        pairs=[dict(zip(("left", "right", "count"), pair, strict=True)) for pair in pairs],
        symbols=SYMBOLS,
    )
CASES.add(
    "a text is cut where its bytes end, and no letter is torn",
    *("merge_steps", "[3, 4, 5, 6, 60].map((n) => cut('ab🙂c', n))"),
    ["ab", "ab", "ab", "ab🙂", "ab🙂c"],
)
CASES.add(
    "an empty text has no tokens at any size",
    "live_tokens",
    "atEachSize('', [256], [{ ids: new Map(), merges: new Map() }])",
    [{"size": 256, "ids": [], "bytes": 0}],
)
CASES.add(
    "a byte's id is its value, and a merge keeps its own",
    "live_tokens",
    "[0, 2].map((id) => idOf(id, symbols))",
    [97, 2],
    symbols=SYMBOLS,
)


@pytest.fixture(scope="module")
def answers():
    return CASES.answers()


@pytest.mark.parametrize("name", CASES)
def test_a_script_says_what_it_should(answers, name):
    CASES[name].check(answers[name])
