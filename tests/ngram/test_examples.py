import numpy as np
import pytest

from headway.ngram.examples import examples_after
from headway.ngram.skipbigram import SkipBigrams

SENTENCES = [[0, 1, 2, 3], [4, 2, 1, 2], [2, 0]]
MODEL = SkipBigrams(SENTENCES, 5)


def test_an_example_holds_the_features_before_a_word_and_the_word_after_it():
    features, present, targets = examples_after(MODEL, SENTENCES, 2)
    pairs = [
        sorted(map(tuple, MODEL.pairs[row[there]].tolist()))
        for row, there in zip(features, present, strict=True)
    ]
    assert pairs == [[(0, 2), (1, 2)], [(4, 2)], [(1, 2), (2, 2), (4, 2)], []]
    assert targets.tolist() == [3, 1, 5, 0]
    assert not features[~present].any()


def test_a_word_that_does_not_occur_gives_no_example():
    features, present, targets = examples_after(MODEL, [[0, 1], []], 3)
    assert features.shape == present.shape == (0, 0)
    assert targets.shape == (0,)
    assert features.dtype == targets.dtype == np.int64


def test_a_word_that_is_no_id_raises():
    with pytest.raises(IndexError):
        examples_after(MODEL, SENTENCES, 5)
