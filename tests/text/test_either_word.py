from itertools import pairwise

import numpy as np

from headway.text.corpus.either_word import either_word_sentences

SIZE = 30
TEXTS = [np.random.default_rng(seed).integers(0, SIZE, 2 + seed % 9).tolist() for seed in range(60)]


def sentences(seed=0):
    return either_word_sentences(np.random.default_rng(seed), TEXTS, SIZE, 200, longest=8)


def test_each_word_follows_the_latest_one_or_the_one_before_it_about_as_often():
    pairs = {pair for text in TEXTS for pair in pairwise([SIZE, *text, SIZE])}
    later = {pair for text in TEXTS for pair in zip(text, [*text, SIZE][2:], strict=False)}
    later |= {(SIZE, text[1]) for text in TEXTS}
    steps = new = 0
    for text in sentences():
        whole = [SIZE, *text, SIZE]
        assert (whole[0], whole[1]) in pairs
        for a, b, c in zip(whole, whole[1:], whole[2:], strict=False):
            assert (b, c) in pairs or (a, c) in later
            steps, new = steps + 1, new + ((b, c) not in pairs)
    assert 0.2 < new / steps < 0.5


def test_they_are_new_short_enough_and_those_of_the_generator():
    assert len(sentences()) == 200
    assert max(map(len, sentences())) <= 8
    assert not {tuple(text) for text in sentences()} & {tuple(text) for text in TEXTS}
    assert sentences(1) == sentences(1) != sentences(2)
