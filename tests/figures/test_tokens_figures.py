"""The figures of chapter 5: they join what the tokenizer joins, and refuse what makes no sense."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from headway.figures.core.page import number
from headway.figures.gallery.shared.tokens import in_words, shown, width_of, wrapped
from headway.figures.gallery.tokens.joins import Node, joins
from headway.figures.gallery.tokens.live_tokens import live_tokens
from headway.figures.gallery.tokens.merge_steps import merge_steps, states
from headway.figures.gallery.tokens.merge_tree import MOST_BYTES, merge_tree, times_merged
from headway.figures.gallery.tokens.tree_forms import CLOSE, Tree
from headway.text.byte_pair import BytePairTokenizer
from headway.text.pieces import pieces
from tests.figures.node import Cases
from tests.figures.shown import assert_on_page, assert_whole, svg_of, texts

TEXT = "aaabdaaabac"
WORDS = ["low lower lowest new newer newest"] * 3
MORE = [*WORDS, "banana bandana, né né"]
TRAINED, TREE = BytePairTokenizer.train(WORDS, 270), BytePairTokenizer.train(MORE, 275)
TIMES = times_merged(MORE, TREE.merges)
SPECIAL = BytePairTokenizer.train(["abab"], 260, ("<s>",))


def check_merges(**changes):
    given = {"texts": [TEXT, "né né"], "title": "It merges", "caption": "Go."}
    return merge_steps(**given | changes)


def check_live(**changes):
    given = {"tokenizer": TRAINED, "sizes": [256, 260, 270], "examples": ["lower new", "🙂"]}
    return live_tokens(**given | {"title": "It cuts", "caption": "Type."} | changes)


def tree(word=" lowest", times=TIMES):
    return merge_tree(word, TREE, times, "It joins", "Play.")


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
    assert [label for label, _ in states(TEXT, ties)] == ["at first", *labels]
    figure = check_merges(ties=ties)
    assert_on_page(figure)
    assert figure.rows[-1] == [labels[-1], "5", "aaab | d | aaab | a | c"]
    assert f"{labels[1]}: " in figure.alt


def test_the_sentence_is_told_at_each_size():
    figure = check_live()
    assert_on_page(figure)
    cuts = [BytePairTokenizer.train(WORDS, size).tokens("lower new") for size in (256, 260, 270)]
    assert figure.rows == [
        [str(size), str(len(cut)), number(9 / len(cut), 2), in_words(cut)]
        for size, cut in zip((256, 260, 270), cuts, strict=True)
    ]
    assert figure.alt.endswith(f"is {len(cuts[2])} tokens: {in_words(cuts[2])}.")
    assert check_live(start=256).alt.endswith("is 9 tokens: l | o | w | e | r | ␣ | n | e | w.")


@pytest.mark.parametrize("word", ["", " lowest", "bandanana", "nénéwé", " xyz"])
def test_the_tokens_on_top_of_the_tree_are_those_of_the_tokenizer(word):
    found, tokens = joins(word, TREE.merges)
    assert [node.token for node in tokens] == TREE.tokens(word)
    assert [join.rank for join in found] == sorted({join.rank for join in found})
    assert len(word.encode()) - sum(len(join.made) for join in found) == len(tokens)


def test_pairs_are_counted_when_they_are_merged():
    cut = [piece for text in MORE for piece in pieces(text)]
    for rank, pair in enumerate(TREE.merges):
        before = BytePairTokenizer(TREE.symbols, TREE.merges[:rank])
        assert TIMES[rank] == sum(
            met == pair for piece in cut for met in pairwise(before.tokens(piece))
        )


def test_the_tree_prints_each_merge_with_its_count_and_each_token_with_its_id():
    figure = tree()
    found, _ = joins(" lowest", TREE.merges)
    said = texts(svg_of(figure))
    assert {f"met {TIMES[join.rank]:,} times" for join in found} <= set(said)
    ids = {str(i) for i in TREE.encode(" lowest")}
    assert ids <= set(said)
    narrow = set(texts(ElementTree.fromstring(figure.upright)))
    assert ids | {f"{TIMES[join.rank]:,}" for join in found} <= narrow
    assert [row[0] for row in figure.rows] == [str(join.rank) for join in found]
    assert figure.rows[-1][-1] == str(TREE.symbols.index(found[-1].token))
    assert len(figure.data["steps"]) == len(found) + 2
    assert_whole(figure)
    assert_whole(tree("nénéwé"))
    assert "⟨C3⟩" in texts(svg_of(tree("nénéwé")))


def test_on_a_narrow_page_a_long_token_is_written_downward():
    joined = Tree(7, 3, upright=True)
    below = joined.letters(Node(b" lowest", 0, 7, 3), 3)
    assert "".join(letter for _, letter in below) == "␣lowest"
    assert len({x for (x, _), _ in below}) == 1
    assert len(joined.letters(Node(b"low", 1, 4, 2), 2)) == 1
    assert Tree(7, 12, upright=True).pitch >= CLOSE


@pytest.mark.parametrize(
    ("make", "changes", "says"),
    [
        (check_merges, {"texts": []}, "1 to 60 bytes"),
        (check_merges, {"texts": ["漢" * 21]}, "1 to 60 bytes"),
        (check_merges, {"ties": "first"}, "got 'first'"),
        (check_merges, {"rules": {"smallest": "the smallest"}}, "ties are smallest, greatest"),
        (check_live, {"sizes": []}, "rise from 256 to 270"),
        (check_live, {"sizes": [260, 256]}, "rise from 256 to 270"),
        (check_live, {"start": 257}, "one of [256, 260, 270], got 257"),
        (check_live, {"examples": ["a", ""]}, "none may be empty"),
        (check_live, {"tokenizer": SPECIAL, "sizes": [256]}, "special"),
        (tree, {"times": TIMES[:-1]}, f"{len(TIMES)} merges need a count each"),
        (tree, {"word": "low low"}, "one piece"),
        (tree, {"word": "n" * (MOST_BYTES + 1)}, f"at most {MOST_BYTES} bytes"),
    ],
)
def test_what_makes_no_sense_is_refused(make, changes, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        make(**changes)


CASES = Cases()
of_merges, of_live = CASES.of("merge_steps"), CASES.of("live_tokens")
SYMBOLS = [[97], [98], [97, 98]]
for pairs, says in [
    ([], "No two tokens are neighbors: nothing is left to merge."),
    ([(0, 1, 1)], "No pair occurs twice: a merge would save nothing, and training ends."),
    ([(0, 1, 2), (2, 0, 2)],
     "Next: a + b, which occurs 2 times, as one other does: the rule decides."),
]:  # fmt: skip
    named = [dict(zip(("left", "right", "count"), pair, strict=True)) for pair in pairs]
    of_merges(says, "reason(pairs, symbols)", says, pairs=named, symbols=SYMBOLS)
of_merges(
    "a text is cut where its bytes end, and no letter is torn",
    "[3, 5, 6, 60].map((n) => cut('ab🙂c', n))",
    ["ab", "ab", "ab🙂", "ab🙂c"],
)
of_live(
    "an empty text has no tokens at any size",
    "atEachSize('', [256], [{ ids: new Map(), merges: new Map() }])",
    [{"size": 256, "ids": [], "bytes": 0}],
)
of_live(
    "a byte's id is its value, and a merge keeps its own",
    "[0, 2].map((id) => idOf(id, symbols))",
    [97, 2],
    symbols=SYMBOLS,
)


@pytest.mark.parametrize("name", CASES)
def test_a_script_says_what_it_should(answers, name):
    CASES[name].check(answers[name])
