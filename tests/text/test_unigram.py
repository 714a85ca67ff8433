"""The most probable way to cut, against all ways; and what training keeps."""

import math
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.text.longest_match import longest_match, longest_matches
from headway.text.unigram import BYTES, UnigramTokenizer, best_split

tokens = st.dictionaries(
    st.text("ab", min_size=1, max_size=4).map(str.encode), st.floats(-9, -0.1), max_size=12
)
SINGLE = {b"a": -3.0, b"b": -4.0}
TEXTS = ["the reader reads and the writer writes", "a reader who writes", "new readers"] * 3


def all_ways(piece: bytes):
    """Every way to cut a piece."""
    for count in range(len(piece)):
        for cuts in combinations(range(1, len(piece)), count):
            yield [piece[a:b] for a, b in pairwise([0, *cuts, len(piece)])]


@given(st.text("ab", min_size=1, max_size=9).map(str.encode), tokens)
def test_the_best_split_is_the_best_of_all_ways(piece, more):
    log_p = SINGLE | more
    found, score = best_split(piece, log_p)
    sums = [sum(log_p[t] for t in way) for way in all_ways(piece) if all(t in log_p for t in way)]
    assert b"".join(found) == piece
    assert score == pytest.approx(max(sums))
    assert score == pytest.approx(sum(log_p[token] for token in found))


def test_the_longest_token_is_not_always_the_best_first_one():
    log_p = {b"a": -5, b"b": -5, b"c": -5, b"ab": -1.0, b"bc": -1.0, b"abc": -9.0}
    assert best_split(b"abc", log_p)[0] in ([b"ab", b"c"], [b"a", b"bc"])
    assert longest_match(b"abc", log_p) == [b"abc"]
    assert longest_match(b"abb", log_p) == [b"ab", b"b"]
    assert best_split(b"", SINGLE) == ([], 0.0)
    assert longest_match(b"", SINGLE) == []


@pytest.fixture(scope="module")
def trained():
    return UnigramTokenizer.train(TEXTS, 266)


def test_training_keeps_the_bytes_and_as_many_tokens_as_asked(trained):
    assert len(trained) <= 266
    assert set(BYTES) < set(trained.log_p)
    assert sum(map(math.exp, trained.log_p.values())) == pytest.approx(1)
    assert len(trained.tokens("the reader")) < len("the reader") / 2, "it comes again and again"
    assert len(UnigramTokenizer.train(TEXTS, 256)) == 256


@given(st.text(st.characters(codec="utf-8"), max_size=30))
def test_any_text_can_be_cut_and_its_tokens_joined_are_the_text(trained, text):
    assert b"".join(trained.tokens(text)) == text.encode()
    assert b"".join(longest_matches(text, trained.log_p)) == text.encode()


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: best_split(b"ax", SINGLE), KeyError, "ends at byte 2"),
        (lambda: longest_match(b"axb", SINGLE), KeyError, "no token begins b'xb'"),
        (lambda: UnigramTokenizer.train(TEXTS, 255), ValueError, "at least 256, got 255"),
        (lambda: UnigramTokenizer({b"a": 0.0}), ValueError, "255 bytes are no tokens"),
    ],
)
def test_what_cannot_be_cut_or_has_no_room_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()
