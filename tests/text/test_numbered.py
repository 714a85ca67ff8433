import numpy as np
import pytest

from headway.text.corpus.numbered import number_sentences

SENTENCES = ["a b", "b c b", "a b", "d", "b a c", "è a b"]


def numbered(size: int, share: float, seed: int = 0):
    return number_sentences(np.random.default_rng(seed), SENTENCES, size, share)


def test_no_sentence_stands_on_both_sides_none_is_lost_and_held_out_words_are_not_counted():
    for seed in range(10):
        train, held_out, words = numbered(9, 0.5, seed)
        sides = [{" ".join(words[i] for i in s) for s in part} for part in (train, held_out)]
        assert not sides[0] & sides[1]
        assert len(train) + len(held_out) == len(SENTENCES)
        assert {i for sentence in train for i in sentence} == set(range(1, len(words)))


def test_frequent_words_come_first_ties_go_by_the_alphabet_and_the_rest_shares_an_id():
    train, held_out, words = numbered(9, 0)
    assert words == ("<unk>", "b", "a", "c", "d", "è")
    assert train[1] == [1, 3, 1]
    assert held_out == []
    train, _, words = numbered(3, 0)
    assert words == ("<unk>", "b", "a")
    assert train[1:4] == [[1, 0, 1], [2, 1], [0]]


def test_a_vocabulary_without_room_is_refused():
    with pytest.raises(ValueError, match="1 or more"):
        numbered(0, 0.5)
