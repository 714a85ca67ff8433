"""A language that is drawn: its probabilities are those of its texts, and its names come back."""

import re

import numpy as np
import pytest

from headway.ngram.byte_chain import ORDERS, ByteChain
from headway.text.corpus.drawn_language import LONGEST, SHORTEST, draw_language
from tests.full import seeds


@pytest.fixture(scope="module", params=seeds(2))
def seed(request):
    return request.param


@pytest.fixture
def language(seed):
    return draw_language(np.random.default_rng(seed))


def test_the_same_seed_gives_the_same_language_and_another_one_another(seed, language):
    again, another = (draw_language(np.random.default_rng(seed + more)) for more in (0, 1))
    assert again == language != another
    np.testing.assert_equal(*(one.text(np.random.default_rng(7), 500) for one in (language, again)))


def test_a_story_has_a_name_that_comes_back_and_bytes_that_cost_what_was_chosen(seed, language):
    """Each choice costs −log₂ of its probability, however many bytes it has."""
    rng, names = np.random.default_rng(seed), set()
    for _ in range(200):
        text, bits, again, agrees = language.story(rng)
        assert len(text) == len(bits) == len(again) == len(agrees) <= 130
        assert text.isascii()
        assert text.endswith(".\n")
        assert text.count("\n") == 1
        assert SHORTEST <= text.count(".") <= LONGEST
        (name,) = set(re.findall(r"[A-Z][a-z]+", text))
        names.add(name)
        start = text.index(name) + len(name)
        assert sum(again) == (text.count(name) - 1) * len(name)
        assert not again[:start].any()
        letters = sum(np.log2(len(some)) for some in language.name_letters)
        asked = -np.log2(language.nouns[text.split()[0]]) + letters
        assert bits[:start].sum() == pytest.approx(asked)
        assert bits[start] == 0  # the space behind a name
        assert (bits >= 0).all()
    assert len(names) > 150


def test_a_text_ends_with_a_whole_story(seed, language):
    for size in (500, 2_000):
        text = bytes(language.text(np.random.default_rng(seed), size)).decode()
        assert size - 200 < len(text) <= size
        assert text.endswith(".\n")


def test_verbs_end_as_the_kind_of_their_subject_asks_however_far_it_is(seed, language):
    text = bytes(language.text(np.random.default_rng(seed), 20_000)).decode()
    for story in text.split("\n")[:-1]:
        noun = story.split()[0]
        for sentence in story.rstrip(".").split(". "):
            subject, *rest = sentence.split()
            kind = language.kinds[noun if subject[0].isupper() else subject]
            verb = next(w for w in rest if w[0].islower() and w not in language.adverbs)
            assert verb.endswith(language.endings[kind])
            assert verb.removesuffix(language.endings[kind]) in language.verbs


def test_endings_behind_a_name_are_marked_and_no_others(seed, language):
    rng, endings = np.random.default_rng(seed), set(language.endings)
    for _ in range(100):
        text, bits, _, agrees = language.story(rng)
        marked = [text[at : at + 2] for at in np.flatnonzero(np.diff(agrees.astype(int)) == 1) + 1]
        sentences = text.rstrip(".\n").split(". ")
        by_name = sum(s.split()[0][0].isupper() for s in sentences[1:]) + 1
        assert len(marked) == by_name
        assert len(set(marked)) == 1
        assert set(marked) <= endings
        assert (bits[agrees] == 0).all()


def test_no_chain_comes_near_the_language_itself_and_an_endless_text_would_not_help(seed, language):
    text = language.text(np.random.default_rng(seed), 100_000)
    rows = language.rows(np.random.default_rng(seed + 1), 32, 128)
    assert rows.text.shape == rows.bits.shape == rows.again.shape == (32, 128)
    assert (rows.text[:, 0] == ord("\n")).all()
    costs = {order: ByteChain(text, order).bits(rows.text) for order in (0, *ORDERS)}
    means = [cost.mean() for cost in costs.values()]
    truth, again = rows.bits[:, 1:], rows.again[:, 1:]
    assert truth.mean() < 0.7 < 1.1 < min(means)
    assert means[0] > means[1] > means[2] > means[3]
    assert means[2] - min(means) > 0.25
    best = min(costs.values(), key=np.mean)
    assert truth[again].mean() < 0.2 < 2.5 < best[again].mean()
