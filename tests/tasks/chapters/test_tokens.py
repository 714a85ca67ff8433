"""What the tasks of assignment 05 owe beyond what all tasks do."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.tasks.chapters.tokens.best_split import best_split, score
from headway.tasks.chapters.tokens.bits import Costs
from headway.tasks.chapters.tokens.count_pairs import count_pairs
from headway.tasks.chapters.tokens.decode import decode
from headway.tasks.chapters.tokens.encode import encode, letters_of
from headway.tasks.chapters.tokens.merge import merge
from headway.tasks.chapters.tokens.predict import byte_length, pair_count, sizes
from headway.tasks.chapters.tokens.train import train
from headway.tasks.chapters.tokens.vocabulary_size import keep_cases, keep_merges
from headway.tasks.chapters.tokens.words import learn, words_of
from headway.text.byte_letters import LETTERS
from headway.text.byte_pair import BytePairTokenizer
from tests.full import seeds

SEEDS = seeds(1)
repetitive = st.lists(st.text("abc ", max_size=20), max_size=6)


@cache
def measured(seed: int) -> list:
    """The cases of the train task that a tokenizer is measured in."""
    return [case for case in keep_cases(np.random.default_rng(seed)) if case.truth]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_target_of_the_train_task_stands_between_its_baselines_with_margin(seed):
    docstrings, digits, words, few = measured(seed)
    for case in (docstrings, few, digits, words):
        kept = len(keep_merges(*case.inputs))
        assert case.truth.costs.bits_per_byte(kept) < 0.992 * case.truth.limit
    cost, limit = docstrings.truth.costs.bits_per_byte, docstrings.truth.limit
    assert cost(0) > 1.2 * limit
    assert cost(len(docstrings.inputs[0])) > limit
    assert few.truth.costs.bits_per_byte(0) > 1.02 * few.truth.limit
    # What is enough for few docstrings is too little for many, and too much for digits.
    assert few.truth.costs.bits_per_byte(200) < few.truth.limit
    assert cost(200) > docstrings.truth.limit
    assert digits.truth.costs.bits_per_byte(len(digits.inputs[0])) > 1.2 * digits.truth.limit
    assert digits.truth.costs.best() == 0
    # Of a few words in any order nearly all merges are asked; what suits few docstrings is too few.
    assert words.truth.costs.best() == len(words.inputs[0])
    assert words.truth.costs.bits_per_byte(250) > words.truth.limit


def test_merges_that_have_seen_the_held_out_texts_look_better_than_they_are():
    """Why the task hands over texts that the merges were not learned from."""
    merges, known, fresh = measured(0)[0].inputs
    seen = learn(words_of([*known, *fresh]), len(merges))
    assert Costs(known, fresh, seen).best() > 2 * Costs(known, fresh, merges).best()


def test_bits_per_byte_are_those_of_the_formula():
    known, fresh, merges = ["abab", "ba"], ["aba"], [(97, 98)]
    # Known: V ab ab V, V b a V; fresh: V ab a V, with V = 257.
    shares = [(1 + 0.1) / (2 + 25.8), (0 + 0.1) / (2 + 25.8), (1 + 0.1) / (1 + 25.8)]
    assert Costs(known, fresh, merges).bits_per_byte(1) == pytest.approx(-np.log2(shares).sum() / 3)


@given(repetitive, st.integers(0, 30))
def test_merges_and_ids_are_those_of_the_package_and_so_of_hugging_face(texts, count):
    """Ids of bytes are their places in the package's list, which decides ties."""
    place = {byte: i for i, byte in enumerate(LETTERS)}
    letter = dict(enumerate(LETTERS))
    words = [([place[byte] for byte in ids], n) for ids, n in words_of(texts)]
    theirs = BytePairTokenizer.train(texts, 256 + count)
    tokens = [bytes([letter[i]]) for i in range(256)]
    for left, right in train(words, len(theirs.merges)):
        tokens.append(tokens[left] + tokens[right])
    mine = [(tokens[a], tokens[b]) for a, b in train(words, len(theirs.merges))]
    if len(set(tokens)) == len(tokens):  # the package gives equal tokens one id
        assert mine == list(theirs.merges)


@given(repetitive, st.integers(0, 30), st.text("abc ", max_size=30))
def test_what_is_encoded_is_decoded_and_no_longer_than_its_bytes(texts, count, text):
    merges = train(words_of(texts), count)
    ids = encode(text, merges)
    assert decode(ids, merges) == text
    assert len(ids) <= len(text.encode())
    assert merges == [list(pair) for pair in learn(words_of(texts), count)]


def test_the_values_worked_out_by_hand_are_those_of_the_code():
    words = [(list(b"tatata"), 3), (list(b"atta"), 2), (list(b"tat"), 4)]
    after = [(merge(ids, b"ta", 256), times) for ids, times in words]
    counts, later = ({(a, b): n for a, b, n in count_pairs(text)} for text in (words, after))
    symbols = sum(len(ids) * times for ids, times in after)
    t, a = b"ta"
    assert pair_count.reference == [counts[t, a], later[a, t], later[256, 256], symbols]
    line = "Zoë: 9€, 🙂"
    tokens = encode(line, [(0xE2, 0x82), (0x82, 0xAC), (0xF0, 0x9F)])
    assert byte_length.reference == [len(line), len(line.encode()), len(tokens)]
    longest = letters_of([(97, 97), (256, 256), (257, 257), (258, 258)])[259]
    assert sizes.reference == [300 - 256, len(longest), 256 + 500 + 2 - 1]


@given(
    st.text("abx", max_size=9),
    st.dictionaries(st.text("ab", min_size=1, max_size=3), st.floats(-9, -0.1), min_size=1),
)
def test_no_split_of_all_is_more_probable_than_the_best(text, logs):
    def splits(rest):
        if not rest:
            yield []
        for end in range(1, len(rest) + 1):
            if rest[:end] in logs or (end == 1 and rest[0] not in logs):
                yield from ([rest[:end], *after] for after in splits(rest[end:]))

    best = max(score(split, logs, -12.0) for split in splits(text))
    assert score(best_split(text, logs, -12.0), logs, -12.0) == pytest.approx(best)
