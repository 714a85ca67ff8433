from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.ngram.skipbigram import SkipBigrams
from headway.ngram.transition import row_entropy
from headway.text.corpus.commands import CHECK_LOG
from headway.text.vocabulary import Vocabulary

V = 4
corpora = st.lists(st.lists(st.integers(0, V - 1), max_size=7), min_size=1, max_size=6)
reaches = st.one_of(st.none(), st.integers(1, 4))

TEXTS = tuple(CHECK_LOG.probabilities())
WORDS = Vocabulary.from_text(" ".join(TEXTS), specials=())
MODEL = SkipBigrams([WORDS.encode(text) for text in TEXTS], len(WORDS))


def counted_by_hand(sentences, size, reach):
    counts = defaultdict(Counter)
    for sentence in sentences:
        for t in range(1, len(sentence)):
            first = 0 if reach is None else max(0, t - reach)
            following = sentence[t + 1] if t + 1 < len(sentence) else size
            for earlier in set(sentence[first:t]):
                counts[earlier, sentence[t]][following] += 1
    return counts


def until_ran(text):
    words = text.split()
    return words[: words.index("ran") + 1], words[words.index("ran") + 1]


@given(corpora, reaches)
def test_votes_are_those_of_a_dict_of_dicts(sentences, reach):
    by_hand = counted_by_hand(sentences, V, reach)
    model = SkipBigrams(sentences, V, reach)
    assert {tuple(pair) for pair in model.pairs.tolist()} == set(by_hand)
    for pair, row in zip(model.pairs.tolist(), model.votes(), strict=True):
        counts = by_hand[tuple(pair)]
        np.testing.assert_allclose(row, [counts[w] / counts.total() for w in range(V + 1)])


@given(corpora, reaches, st.lists(st.integers(0, V - 1), max_size=6), st.data())
def test_prediction_is_features_times_mask_times_votes(sentences, reach, prefix, data):
    """The features: the known pairs of the set of earlier words in reach with the latest."""
    model = SkipBigrams(sentences, V, reach)
    earlier = prefix[:-1] if reach is None else prefix[:-1][-reach:]
    known = [tuple(pair) for pair in model.pairs.tolist()]
    present = [i for i, (e, latest) in enumerate(known) if e in earlier and latest == prefix[-1]]
    assert model.features(prefix).tolist() == present
    active = np.isin(np.arange(len(model)), present)
    np.testing.assert_array_equal(model.active(prefix), active)
    flags = st.lists(st.booleans(), min_size=len(model), max_size=len(model))
    mask = np.array(data.draw(flags), dtype=bool)
    for votes, given_ in ((active * mask, (mask,)), (active, ())):
        expected = votes @ model.votes()
        np.testing.assert_allclose(model.predict(prefix, *given_), expected, atol=1e-12)


@pytest.mark.parametrize(
    ("text", "votes", "masked"),
    [(TEXTS[0], (4, 5), (0, 1)), (TEXTS[1], (5, 4), (1, 0))],
    ids=["program", "battery"],
)
def test_after_ran_the_votes_are_four_against_five_and_masked_nought_against_one(
    text, votes, masked
):
    prefix = WORDS.encode(until_ran(text)[0])
    down, please = WORDS.id("down"), WORDS.id("please")
    for expected, given_ in ((votes, ()), (masked, (MODEL.mask_by_gain(),))):
        found = MODEL.predict(prefix, *given_)
        assert (found[down], found[please]) == expected
        assert found.sum() == sum(expected)  # and nothing else


def test_where_no_earlier_word_informs_the_mask_keeps_all_votes():
    prefix = WORDS.encode("check the battery log and")
    masked = MODEL.predict(prefix, MODEL.mask_by_gain())
    np.testing.assert_array_equal(masked, MODEL.predict(prefix))
    assert masked.argmax() == WORDS.id("find")


@given(corpora)
def test_information_gain_averages_to_the_fall_of_the_entropy(sentences):
    """Σ_f count(f)·gain(f) is the mutual information of next and earlier word, given the latest."""
    model = SkipBigrams(sentences, V)
    gain, totals = model.information_gain(), model.table.totals
    assert (gain >= 0).all()
    for latest in set(model.pairs[:, 1].tolist()):
        rows = model.pairs[:, 1] == latest
        counts = model.table.dense(np.flatnonzero(rows))
        weights = totals[rows] / totals[rows].sum()
        fall = row_entropy(counts.sum(axis=0) / counts.sum())
        fall -= weights @ row_entropy(model.votes()[rows])
        assert weights @ gain[rows] == pytest.approx(fall, abs=1e-9)


def test_the_mask_keeps_pairs_that_tell_half_of_the_most_and_were_seen_often_enough():
    sentences = [[0, 3, 1]] * 6 + [[2, 3, 1]] * 3 + [[2, 3, 0]] * 3 + [[1, 3, 0]] * 2
    model = SkipBigrams(sentences, V)
    pairs, gain = model.pairs.tolist(), model.information_gain()
    assert [pair for pair in pairs if pair[1] == 3] == [[0, 3], [1, 3], [2, 3]]
    telling, rare, vague = (pairs.index([earlier, 3]) for earlier in (0, 1, 2))
    assert gain[rare] > gain[telling] > gain[vague]

    def kept(**asked) -> list[bool]:
        return model.mask_by_gain(**asked)[[telling, rare, vague]].tolist()

    assert kept() == [False, True, False]
    assert kept(at_least=3) == [True, False, False]
    assert kept(share=0) == [True, True, True]


def test_the_base_of_the_gain_counts_a_place_once_for_each_word_before_it():
    """“a x p” and “a b c d x q”: of five features of x, four say q, though x goes on evenly."""
    words = Vocabulary.from_text("a b c d x p q", specials=())
    model = SkipBigrams([words.encode("a x p"), words.encode("a b c d x q")], len(words))
    row = model.pairs.tolist().index([words.id("a"), words.id("x")])
    by_hand = 0.5 * np.log(0.5 / 0.2) + 0.5 * np.log(0.5 / 0.8)
    assert model.information_gain()[row] == pytest.approx(by_hand)


@pytest.mark.parametrize("sentences", [[], [[0]]])
def test_a_corpus_without_pairs_has_no_features(sentences):
    model = SkipBigrams(sentences, 3)
    assert len(model) == 0
    assert model.votes().shape == (0, 4)
    assert model.predict([0, 1]).tolist() == [0, 0, 0, 0]
    assert model.mask_by_gain().shape == (0,)


@pytest.mark.parametrize("mask", [np.ones(3, dtype=bool), np.ones(len(MODEL))])
def test_a_mask_that_is_not_one_boolean_a_feature_is_refused(mask):
    with pytest.raises(ValueError, match=rf"shape \({len(MODEL)},\); got"):
        MODEL.predict([0, 1], mask)


def test_a_reach_of_nothing_is_refused():
    with pytest.raises(ValueError, match="1 word or more"):
        SkipBigrams([[0, 1]], 2, reach=0)
