import numpy as np
import pytest

from headway.ngram.markov import MarkovChain
from headway.ngram.skipbigram import SkipBigrams
from headway.tasks.chapters.skip_bigrams.by_mask import vote_shares
from headway.tasks.chapters.skip_bigrams.by_votes import WRONG_AT_MOST, choose_words
from headway.tasks.chapters.skip_bigrams.every_prefix import every_prefix_votes
from headway.tasks.chapters.skip_bigrams.gain_mask import gain_and_mask
from headway.tasks.chapters.skip_bigrams.mask_cases import SHARE_AT_LEAST, mean_share
from headway.tasks.chapters.skip_bigrams.masked import masked_votes
from headway.tasks.chapters.skip_bigrams.table import vote_table
from headway.tasks.engine.find import find_task
from headway.tasks.engine.judge import judge
from headway.text.vocabulary import Vocabulary
from tests.full import seeds

SEEDS = seeds(3)


def cases(name, seed):
    return find_task(f"03-skip-bigrams/{name}").cases(np.random.default_rng(seed))


def counted(sentences, prefixes, choices):
    """The chapter's own model, and a second-order chain, of the words of a case."""
    words = Vocabulary({word for sentence in sentences for word in sentence}, specials=())
    ids = [words.encode(sentence) for sentence in sentences]
    model, chain = SkipBigrams(ids, len(words)), MarkovChain(ids, len(words), order=2)
    columns = [words.id(choice) for choice in choices]
    counted = [[word for word in prefix if word in words] for prefix in prefixes]
    return model, chain, [words.encode(prefix) for prefix in counted], columns


@pytest.mark.parametrize("seed", SEEDS)
def test_the_target_of_the_votes_stands_between_a_chain_and_the_reference_with_margin(seed):
    for case in cases("by-votes", seed)[:2]:
        sentences, prefixes = case.inputs
        choices = sorted(set(case.truth))
        _, chain, prefixes, columns = counted(sentences, prefixes, choices)
        by_chain = [choices[chain.predict(p[-2:])[columns].argmax()] for p in prefixes]
        wrong = [
            np.mean([word != right for word, right in zip(words, case.truth, strict=True)])
            for words in (choose_words(*case.inputs), by_chain, [choices[0]] * 100)
        ]
        assert wrong[0] <= 0.5 * WRONG_AT_MOST
        assert min(wrong[1:]) > 3 * WRONG_AT_MOST


@pytest.mark.parametrize("seed", SEEDS)
def test_the_target_of_the_mask_stands_above_all_baselines_with_margin(seed):
    for case in cases("by-mask", seed)[:-1]:
        model, chain, prefixes, columns = counted(*case.inputs)
        votes = np.array([model.predict(prefix)[columns] for prefix in prefixes])
        no_mask = votes / votes.sum(axis=1, keepdims=True)
        by_chain = np.array([chain.predict(prefix[-2:])[columns] for prefix in prefixes])
        assert mean_share(vote_shares(*case.inputs), case) > SHARE_AT_LEAST + 0.04
        assert mean_share(no_mask, case) < SHARE_AT_LEAST - 0.2
        assert mean_share(by_chain, case) < SHARE_AT_LEAST - 0.2


@pytest.mark.parametrize("seed", SEEDS)
def test_the_references_are_the_chapter_s_model_in_another_form(seed):
    rng = np.random.default_rng(seed)
    V = 6
    sentences = [rng.integers(0, V, length).tolist() for length in (5, 7, 0, 1, 6)]
    model, votes = SkipBigrams(sentences, V), vote_table(sentences, V)
    np.testing.assert_allclose(votes[tuple(model.pairs.T)], model.votes())
    assert votes.any(axis=-1).sum() == len(model)

    masks = rng.random((V, V)) < 0.5
    mask = masks[model.pairs[:, 1], model.pairs[:, 0]]
    prefix = rng.integers(0, V, 5)
    expected = model.predict(prefix, mask)
    np.testing.assert_allclose(masked_votes(prefix, votes, masks), expected)
    np.testing.assert_allclose(every_prefix_votes(prefix, votes, masks)[-1], expected)

    latest = model.pairs[0, 1]
    rows = np.flatnonzero(model.pairs[:, 1] == latest)
    gains, kept = gain_and_mask(model.table.dense(rows), 0.5)
    np.testing.assert_allclose(gains, model.information_gain()[rows] / np.log(2), atol=1e-8)
    assert np.array_equal(kept, model.mask_by_gain(0.5)[rows])


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda s, p: ["please"] * 99, "99 words for 100 prefixes"),
        (lambda s, p: [None] * 100, "not a list of words"),
        (lambda s, p: ["please"] * 100, "words are wrong; at most 10 may be"),
    ],
)
def test_words_that_cannot_be_the_answer_are_told_what_is_missing(answer, said):
    verdict = judge(find_task("03-skip-bigrams/by-votes"), answer)
    assert verdict.score == 0
    assert said in verdict.reason


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        (np.full((100, 3), 1 / 3), r"the shape is (100, 3), expected (100, 2)"),
        (np.ones((100, 2)), "row 0 is [1.0, 1.0]: shares sum to one"),
        (np.tile([2.0, -1.0], (100, 1)), "row 0 is [2.0, -1.0]"),
        (np.full((100, 2), 0.5), "a mean share of 0.500; 0.85 is asked. In 100 of 100 rows"),
        (0.9, "the shape is ()"),
    ],
)
def test_shares_that_are_none_are_told_so(shares, said):
    verdict = judge(find_task("03-skip-bigrams/by-mask"), lambda s, p, c: shares)
    assert verdict.score == 0
    assert said in verdict.reason
