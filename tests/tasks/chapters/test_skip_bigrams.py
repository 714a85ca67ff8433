import math
from collections import Counter, defaultdict

import numpy as np
import pytest

from headway.ngram.markov import MarkovChain
from headway.ngram.skipbigram import SkipBigrams
from headway.tasks.chapters.skip_bigrams.by_mask import (
    KEPT,
    SHARE_AT_LEAST,
    mean_share,
    vote_shares,
)
from headway.tasks.chapters.skip_bigrams.by_votes import WRONG_AT_MOST, choose_words
from headway.tasks.chapters.skip_bigrams.every_prefix import every_prefix_votes
from headway.tasks.chapters.skip_bigrams.gain_mask import gain_and_mask
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
    return model, chain, [words.encode(prefix) for prefix in prefixes], columns


@pytest.mark.parametrize("seed", SEEDS)
def test_the_target_of_the_votes_stands_between_a_chain_and_the_reference_with_margin(seed):
    for case in cases("by-votes", seed):
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
    for case in cases("by-mask", seed):
        model, chain, prefixes, columns = counted(*case.inputs)
        votes = np.array([model.predict(prefix)[columns] for prefix in prefixes])
        no_mask = votes / votes.sum(axis=1, keepdims=True)
        by_chain = np.array([chain.predict(prefix[-2:])[columns] for prefix in prefixes])
        assert mean_share(vote_shares(*case.inputs), case) > SHARE_AT_LEAST + 0.04
        assert mean_share(no_mask, case) < SHARE_AT_LEAST - 0.2
        assert mean_share(by_chain, case) < SHARE_AT_LEAST - 0.2


@pytest.mark.parametrize("seed", SEEDS)
def test_any_limit_in_the_gap_reaches_the_target_of_the_mask(seed):
    for case in cases("by-mask", seed):
        model, _, prefixes, columns = counted(*case.inputs)
        for share in (0.1, KEPT, 0.2):
            mask = model.mask_by_gain(share)
            votes = np.array([model.predict(prefix, mask)[columns] for prefix in prefixes])
            shares = (votes + 1e-9) / (votes + 1e-9).sum(axis=1, keepdims=True)
            assert mean_share(shares, case) > SHARE_AT_LEAST


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
        (lambda s, p: np.zeros(100), "not a list of words"),
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
        (np.full((100, 2), np.nan), "shares sum to one"),
        (np.tile([2.0, -1.0], (100, 1)), "row 0 is [2.0, -1.0]"),
        (np.full((100, 2), 0.5), "a mean share of 0.500; 0.85 is asked. In 100 of 100 rows"),
        ([["a", "b"]] * 100, "expected (100, 2)"),
        (0.9, "the shape is ()"),
    ],
)
def test_shares_that_are_none_are_told_so(shares, said):
    verdict = judge(find_task("03-skip-bigrams/by-mask"), lambda s, p, c: shares)
    assert verdict.score == 0
    assert said in verdict.reason


# --- wrong answers that were written after the catalogue ------------------------------------------


def not_the_latest(prefix):
    latest = prefix[-1] if prefix else None
    return sorted({(w, latest) for w in prefix if w != latest})


def neighbors_everywhere(prefix):
    return sorted({(prefix[i], prefix[i + 1]) for i in range(len(prefix) - 1)})


def numpy_add_at(sentences, size):
    cells = [
        (s[i], s[j], s[j + 1] if j + 1 < len(s) else size)
        for s in sentences
        for j in range(len(s))
        for i in range(j)
    ]
    counts = np.zeros((size, size, size + 1))
    if cells:
        np.add.at(counts, tuple(np.array(cells).T), 1)
    return counts / np.maximum(counts.sum(2, keepdims=True), 1)


def shares_of_the_earlier_word(sentences, size):
    counts = vote_table([], size)
    seen = np.zeros(size)
    for sentence in sentences:
        for t, latest in enumerate(sentence):
            after = [*sentence, size][t + 1]
            for earlier in set(sentence[:t]):
                counts[earlier][latest][after] += 1
                seen[earlier] += 1
    return counts / np.where(seen == 0, 1, seen)[:, None, None]


def one_triple_a_sentence(sentences, size):
    counts = np.zeros((size, size, size + 1))
    for sentence in sentences:
        ended = [*sentence, size]
        seen = {(e, ended[t], ended[t + 1]) for t in range(len(sentence)) for e in ended[:t]}
        for cell in seen:
            counts[cell] += 1
    return counts / np.maximum(counts.sum(2, keepdims=True), 1)


def transposed_mask(prefix, votes, masks):
    active = np.zeros(len(votes))
    active[prefix[:-1]] = 1
    if len(prefix) == 0:
        return np.zeros(len(votes) + 1)
    return np.einsum("e,e,ew->w", active, masks[:, prefix[-1]], votes[:, prefix[-1], :])


def soft_votes(prefix, votes, masks):
    total = np.exp(masked_votes(prefix, votes, masks))
    return total / total.sum()


def loudest_voter(prefix, votes, masks):
    result = [0.0] * len(votes[0][0])
    for earlier in prefix[:-1]:
        if masks[prefix[-1]][earlier]:
            row = votes[earlier][prefix[-1]]
            result = [max(a, b) for a, b in zip(result, row, strict=True)]
    return result


def natural_logarithms(counts, share):
    everything = [sum(column) for column in counts.T.tolist()]
    gains = []
    for row in counts.tolist():
        gain = 0.0
        for n, total in zip(row, everything, strict=True):
            if n:
                gain += n / sum(row) * math.log(n * sum(everything) / sum(row) / total)
        gains.append(round(gain, 9))
    return gains, [g >= max(gains) * share for g in gains]


def rounded_too_late(counts, share):
    everything = counts.sum(0) / counts.sum()
    gains = np.zeros(len(counts))
    for e, row in enumerate(counts):
        for n, q in zip(row, everything, strict=True):
            if n:
                gains[e] += n / row.sum() * math.log2(n / row.sum() / q)
    return np.round(gains, 9), gains >= share * gains.max()


def distance_of_the_rows(counts, share):
    given = counts / np.maximum(counts.sum(1), 1)[:, None]
    gains = np.round(np.abs(given - counts.sum(0) / counts.sum()).sum(1) / 2, 9)
    return gains, gains >= share * gains.max()


def filtered_at_the_vote(sentences, prefix):
    counts = defaultdict(Counter)
    for sentence in sentences:
        for t in range(1, len(sentence)):
            for earlier in set(sentence[:t]):
                counts[earlier, sentence[t - 1]][sentence[t]] += 1
    votes = Counter()
    for earlier in set(prefix):
        if earlier == prefix[-1]:
            continue
        for word, n in counts[earlier, prefix[-1]].items():
            votes[word] += n / sum(counts[earlier, prefix[-1]].values())
    return dict(votes)


def order_two(sentences, prefixes):
    chosen = []
    for *_, before, latest in prefixes:
        after = Counter(
            s[t + 1] for s in sentences for t in [s.index(latest)] if s[t - 1] == before
        )
        chosen.append(after.most_common(1)[0][0])
    return chosen


def short_window(sentences, prefixes):
    return choose_words(sentences, [prefix[-3:] for prefix in prefixes])


def least_doubt_left_out(sentences, prefixes, choices):
    """Keeps the rows whose entropy is high, taking doubt for information."""
    words = sorted({w for prefix in prefixes for w in prefix[:-1]})
    rows = np.zeros((len(words), 2))
    for s in sentences:
        t = s.index(prefixes[0][-1])
        for i, w in enumerate(words):
            rows[i, choices.index(s[t + 1])] += w in s[:t]
    p = rows / np.maximum(rows.sum(1, keepdims=True), 1)
    doubt = [-sum(x * math.log2(x) for x in row if x) for row in p.tolist()]
    shares = []
    for prefix in prefixes:
        kept = [p[i] for i, w in enumerate(words) if w in prefix[:-1] and doubt[i] > 0.6]
        shares.append(np.mean(kept, axis=0))
    return np.array(shares)


def more_than_half(sentences, prefixes, choices):
    return np.array(vote_shares(sentences, prefixes, choices) > 0.5, dtype=float)


def cumulative(ids, votes, masks):
    X = np.eye(len(votes))[ids]
    present = np.cumsum(X, axis=0) > 0
    return np.array(
        [(present[t] & masks[i]).astype(float) @ votes[:, i] for t, i in enumerate(ids)]
    ).reshape(len(ids), -1 if len(ids) else votes.shape[2])


LATER = [
    ("features", not_the_latest, "twin-dropped"),
    ("features", neighbors_everywhere, "every-neighbor"),
    ("table", numpy_add_at, "set-lost"),
    ("table", shares_of_the_earlier_word, None),
    ("table", one_triple_a_sentence, "once-a-sentence"),
    ("masked", transposed_mask, "mask-by-earlier"),
    ("masked", soft_votes, None),
    ("masked", loudest_voter, None),
    ("gain-mask", natural_logarithms, "nats-for-bits"),
    ("gain-mask", distance_of_the_rows, None),
    ("gain-mask", rounded_too_late, ...),  # which pairs stay depends on the last digit
    ("voter", filtered_at_the_vote, "twin-dropped"),
    ("by-votes", order_two, "adjacency-only"),
    ("by-votes", short_window, ...),  # often, not always, the same words as of the neighbor alone
    ("by-mask", least_doubt_left_out, ...),  # mostly the mask turned round, not to the last digit
    ("by-mask", more_than_half, "winner-takes-all"),
    ("every-prefix", cumulative, "self-pair"),
]


@pytest.mark.parametrize(
    ("name", "answer", "known"), LATER, ids=[f"{n} {a.__name__}" for n, a, _ in LATER]
)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_wrong_answer_written_after_the_catalogue_is_caught(name, answer, known, seed):
    task = find_task(f"03-skip-bigrams/{name}")
    verdict = judge(task, answer, seed)
    assert verdict.status in ("failed", "partial")
    if known is not ...:
        assert (verdict.misconception.name if verdict.misconception else None) == known
