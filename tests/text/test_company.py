"""The corpus of chapter 6: what its words have in common is in their company, and nowhere else."""

from collections import defaultdict

import pytest

from headway.text.corpus.company import COMPANY, COUPLES, KINDS, PRONOUNS, SYNONYMS

SENTENCES = COMPANY.probabilities()
PROVERB = "like a banana"  # the one sentence in which no other fruit can stand
KINDS_AND_SYNONYMS = [*KINDS.values(), SYNONYMS]


def frames(word: str) -> dict[str, float]:
    """The sentences with the word, a blank in its place, as shares of all that have it."""
    found = defaultdict(float)
    for sentence, probability in SENTENCES.items():
        words = sentence.split()
        if word in words and PROVERB not in sentence:
            found[" ".join("…" if each == word else each for each in words)] += probability
    total = sum(found.values())
    return {frame: p / total for frame, p in found.items()}


def test_06_its_probabilities_sum_to_one():
    assert sum(SENTENCES.values()) == pytest.approx(1)


@pytest.mark.parametrize("words", KINDS_AND_SYNONYMS, ids=lambda words: words[0])
def test_06_words_of_a_kind_stand_in_the_same_places_equally_often(words):
    first = frames(words[0])
    for word in words[1:]:
        assert frames(word) == pytest.approx(first)


def test_06_a_couple_differs_in_its_pronouns_and_shares_what_is_theirs():
    swapped = dict(zip(*PRONOUNS, strict=True))
    for he, she in COUPLES:
        his = {
            " ".join(swapped.get(word, word) for word in frame.split()): p
            for frame, p in frames(he).items()
        }
        assert his == pytest.approx(frames(she))
        for thing in COUPLES[he, she]:
            owners = {word for frame in frames(thing) for word in frame.split()}
            assert {he, she} <= owners
            assert not owners & {
                each for couple in COUPLES for each in couple if each not in (he, she)
            }
