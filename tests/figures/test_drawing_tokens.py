"""The merge tree: it joins what the tokenizer joins, in its order, and prints its numbers."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from headway.figures.gallery.merge_tree import MOST_BYTES, joins, merge_tree, times_merged
from headway.text.byte_pair import BytePairTokenizer
from headway.text.pieces import pieces
from tests.figures.frame import assert_words_inside

TEXTS = ["low lower lowest new newer newest"] * 3 + ["banana bandana, né né"]
TRAINED = BytePairTokenizer.train(TEXTS, 275)
TIMES = times_merged(TEXTS, TRAINED.merges)


def figure(word=" lowest", tokenizer=TRAINED, times=TIMES):
    return merge_tree(word, tokenizer, times, "It joins", "Play.")


def texts(svg: str) -> list[str]:
    return [one.text for one in ElementTree.fromstring(svg).iter("text")]


@pytest.mark.parametrize("word", ["", " ", " lowest", "banana", "bandanana", "nénéwé", " xyz"])
def test_the_tokens_on_top_are_those_of_the_tokenizer(word):
    found, tokens = joins(word, TRAINED.merges)
    assert [node.token for node in tokens] == TRAINED.tokens(word)
    assert [join.rank for join in found] == sorted({join.rank for join in found})
    assert b"".join(node.token for node in tokens) == word.encode()
    saved = sum(len(join.made) for join in found)
    assert len(word.encode()) - saved == len(tokens)


def test_a_pair_is_joined_wherever_it_stands_in_one_step():
    found, tokens = joins("anan", [(b"a", b"n"), (b"an", b"an")])
    assert [len(join.made) for join in found] == [2, 1]
    assert [(node.start, node.end, node.level) for node in tokens] == [(0, 4, 2)]


def test_later_merges_use_what_earlier_ones_left():
    found, tokens = joins("down", [(b"o", b"w"), (b"d", b"o"), (b"w", b"n")])
    assert [join.token for join in found] == [b"ow"]
    assert [node.token for node in tokens] == [b"d", b"ow", b"n"]


def test_pairs_are_counted_when_they_are_merged():
    cut = [piece for text in TEXTS for piece in pieces(text)]
    for rank, (left, right) in enumerate(TRAINED.merges):
        before = BytePairTokenizer(TRAINED.symbols, TRAINED.merges[:rank])
        counted = sum(
            pair == (left, right)
            for piece in cut
            for tokens in [before.tokens(piece)]
            for pair in pairwise(tokens)
        )
        assert TIMES[rank] == counted >= 2
    assert all(earlier >= later for earlier, later in pairwise(TIMES))


def test_it_prints_each_merge_with_its_rank_and_count_and_each_token_with_its_id():
    drawn = figure()
    found, tokens = joins(" lowest", TRAINED.merges)
    said = texts(drawn.drawing)
    for join in found:
        assert f"rank {join.rank} · met {TIMES[join.rank]:,} times" in said
    ids = TRAINED.encode(" lowest")
    assert said[-3 * len(ids) :].count(str(ids[0])) == 1
    assert [row[0] for row in drawn.rows] == [str(join.rank) for join in found]
    assert drawn.rows[-1][-1] == str(TRAINED.symbols.index(found[-1].token))
    assert len(drawn.data["steps"]) == len(found) + 2
    assert f"{len(tokens)} tokens" in drawn.data["steps"][-1]


def test_it_is_whole_without_scripts_and_nothing_leaves_its_frame():
    svg = ElementTree.fromstring(figure("nénéwé").drawing)
    assert_words_inside(svg)
    steps = [int(group.get("data-step")) for group in svg.iter("g") if group.get("data-step")]
    assert steps == list(range(1, len(steps) + 1))
    assert "⟨C3⟩" in texts(figure("nénéwé").drawing)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"times": TIMES[:-1]}, f"{len(TIMES)} merges need a count each"),
        ({"word": "low low"}, "one piece"),
        ({"word": "n" * (MOST_BYTES + 1)}, f"at most {MOST_BYTES} bytes"),
        ({"word": ""}, "one piece"),
    ],
)
def test_what_cannot_be_drawn_is_refused(changes, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        figure(**changes)
