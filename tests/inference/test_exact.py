import itertools

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from headway.inference.exact import exhaustive, log_table, viterbi
from headway.inference.predictor import ChainPredictor
from headway.ngram.markov import MarkovChain
from headway.shapes import ShapeError
from tests.inference.tables import Reads, random_table

seeds = st.integers(0, 10_000)
penalties = st.sampled_from([-0.5, 0.0, 1.0, 2.0])
V = 3
corpora = st.lists(st.lists(st.integers(0, V - 1), max_size=4), min_size=1, max_size=6)


@given(seeds, st.integers(1, 3), st.integers(1, 4), penalties, st.sampled_from([None, 1]))
def test_viterbi_finds_what_listing_everything_finds(seed, order, steps, alpha, end):
    table, context = random_table(seed, V, order).log_softmax(-1), [2, 0, 1][-order:]
    ids, score = viterbi(table, context, steps, end, alpha)
    best = exhaustive(Reads(table), torch.tensor([context]), steps, end, alpha)
    assert score == pytest.approx(float(best.scores[0, 0]))
    if best.scores.shape[1] == 1 or best.scores[0, 0] - best.scores[0, 1] > 1e-9:
        length = int(best.lengths[0, 0])
        assert ids.tolist() == best.ids[0, 0, order : order + length].tolist()


@given(seeds, st.integers(1, 4), penalties, st.sampled_from([None, 1]))
def test_listing_everything_leaves_nothing_out(seed, steps, alpha, end):
    log_p = random_table(seed, V, 1).log_softmax(-1)
    found = exhaustive(Reads(log_p), torch.tensor([[0], [2]]), steps, end, alpha)
    totals = found.scores * found.lengths**alpha
    torch.testing.assert_close(totals.exp().sum(1), torch.ones(2).double())
    assert (found.scores[:, :-1] >= found.scores[:, 1:]).all()
    rows = zip(found.ids[0].tolist(), found.lengths[0].tolist(), totals[0].tolist(), strict=True)
    for ids, length, total in rows:
        pairs = itertools.pairwise(ids[: 1 + length])
        assert total == pytest.approx(sum(float(log_p[v, w]) for v, w in pairs))
        assert end not in ids[1:length]
        assert length == steps or ids[length] == end


@settings(max_examples=50)
@given(corpora, st.integers(1, 2), st.integers(1, 5))
def test_viterbi_finds_the_best_sentence_of_a_chain(sentences, order, steps):
    chain = MarkovChain(sentences, V, order)
    ids, score = viterbi(log_table(chain), [V] * order, steps, end=V)
    found = exhaustive(ChainPredictor(chain), torch.full((1, 1), V), steps, end=V)
    assert score == pytest.approx(float(found.scores[0, 0]))
    if V in ids.tolist():
        assert score == pytest.approx(chain.log_likelihood([ids[:-1].numpy()]))


@settings(max_examples=20)
@given(corpora, st.integers(1, 3), st.sampled_from([0.0, 0.5]))
def test_the_table_of_a_chain_holds_its_predictions(sentences, order, alpha):
    chain = MarkovChain(sentences, V, order, smoothing=alpha)
    table = log_table(chain)
    assert table.shape == (V + 1,) * (order + 1)
    for context in itertools.product(range(V + 1), repeat=order):
        expected = torch.from_numpy(chain.predict(list(context)))
        torch.testing.assert_close(table[context].exp(), expected)


def test_of_equally_good_hypotheses_the_shortest_comes_first_unless_long_ones_are_favored():
    table = torch.tensor([[0.0, 0.5, 0.5], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]).log()
    assert viterbi(table, [0], 5, end=2)[0].tolist() == [2]
    assert viterbi(table, [0], 5, end=2, length_penalty=1.0)[0].tolist() == [1, 2]
    assert exhaustive(Reads(table), torch.tensor([[0]]), 5, end=2).lengths[0, :2].tolist() == [1, 2]


TABLE = random_table(0, V, 2).log_softmax(-1)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: viterbi(TABLE, [0], 3), ShapeError, r"\(3, 3, 3\).*context of 1"),
        (lambda: viterbi(torch.zeros(3, 2), [0], 3), ShapeError, r"\(3, 2\)"),
        (lambda: viterbi(TABLE, [0, 1], 0), ValueError, "got 0"),
        (lambda: viterbi(TABLE[0] - torch.inf, [0], 2), ValueError, "probability 0"),
        (lambda: exhaustive(Reads(TABLE), torch.tensor([[0, 1]]), 0), ValueError, "got 0"),
        (lambda: exhaustive(Reads(TABLE), torch.tensor([[0, 1]]), 20), ValueError, r"1 · 3\^20"),
        (lambda: log_table(MarkovChain([[0]], V, 0)), ValueError, "order 0"),
    ],
)
def test_what_cannot_be_searched_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()
