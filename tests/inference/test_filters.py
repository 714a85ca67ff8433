import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers.generation.logits_process import (
    RepetitionPenaltyLogitsProcessor,
    TemperatureLogitsWarper,
    TopKLogitsWarper,
    TopPLogitsWarper,
)

from headway.inference.filters import repetition_penalty, temperature, top_k, top_p
from headway.shapes import ShapeError

seeds = st.integers(0, 10_000)
shares = st.floats(0.01, 0.99)


def drawn_logits(seed, rows=3, size=11):
    return torch.randn(rows, size, generator=torch.Generator().manual_seed(seed)) * 2


def support(logits):
    return [row.isfinite().nonzero().flatten().tolist() for row in logits]


def of(*probabilities):
    return torch.tensor([probabilities]).log()


@given(seeds, st.floats(0.05, 20))
def test_temperature_agrees_with_hugging_face(seed, T):
    logits = drawn_logits(seed)
    assert temperature(logits, T).equal(TemperatureLogitsWarper(T)(None, logits))


@given(seeds, st.integers(1, 15))
def test_top_k_agrees_with_hugging_face(seed, k):
    logits = drawn_logits(seed)
    assert top_k(logits, k).equal(TopKLogitsWarper(k)(None, logits))


@given(seeds, shares)
def test_top_p_agrees_with_hugging_face(seed, p):
    logits = drawn_logits(seed)
    assert top_p(logits, p).equal(TopPLogitsWarper(p)(None, logits))


@given(seeds, st.floats(0.3, 3), st.integers(0, 20))
def test_repetition_penalty_agrees_with_hugging_face(seed, penalty, length):
    logits = drawn_logits(seed)
    ids = torch.randint(11, (3, length), generator=torch.Generator().manual_seed(seed))
    expected = RepetitionPenaltyLogitsProcessor(penalty)(ids, logits)
    assert repetition_penalty(logits, ids, penalty).equal(expected)


@given(seeds, st.floats(0.05, 20))
def test_temperature_raises_probabilities_to_a_power(seed, T):
    logits = drawn_logits(seed).double()
    powers = logits.softmax(-1) ** (1 / T)
    expected = powers / powers.sum(-1, keepdim=True)
    torch.testing.assert_close(temperature(logits, T).softmax(-1), expected)


def test_the_limits_of_temperature_are_greedy_and_uniform():
    logits = drawn_logits(0)
    cold, hot = (temperature(logits, T).softmax(-1) for T in (1e-3, 1e6))
    assert cold.equal(torch.nn.functional.one_hot(logits.argmax(-1), 11).float())
    torch.testing.assert_close(hot, torch.full_like(hot, 1 / 11), atol=1e-5, rtol=0)


@given(seeds, st.integers(1, 15))
def test_top_k_keeps_the_k_most_likely_as_they_were(seed, k):
    logits = drawn_logits(seed)
    kept = top_k(logits, k)
    for row, before in zip(kept, logits, strict=True):
        best = sorted(range(11), key=lambda v: -before[v])[:k]
        assert support(row[None]) == [sorted(best)]
        assert row[best].equal(before[best])


def test_tokens_that_tie_for_the_last_place_all_stay():
    assert support(top_k(torch.tensor([[1.0, 2, 1, 0, 1]]), 2)) == [[0, 1, 2, 4]]
    # A nucleus is the smallest set: of equals it takes those with the lowest ids.
    assert support(top_p(torch.zeros(1, 5), 0.5)) == [[0, 1, 2]]
    assert support(top_p(torch.zeros(1, 5000), 0.1001)) == [list(range(501))]


@given(seeds, shares)
def test_the_nucleus_is_the_smallest_set_that_reaches_p(seed, p):
    logits = drawn_logits(seed).double()
    for row, kept in zip(logits.softmax(-1), support(top_p(logits, p)), strict=True):
        mass = row[kept].sum()
        assert mass >= p - 1e-6
        assert mass - row[kept].min() < p
        outside = [v for v in range(11) if v not in kept]
        assert not outside or row[outside].max() <= row[kept].min()


@pytest.mark.parametrize(
    ("p", "kept"),
    [(1e-9, [2]), (0.4, [2]), (0.5, [0, 2]), (0.7, [0, 2]), (0.71, [0, 2, 3]), (0.9, [0, 2, 3])],
)
def test_the_token_that_crosses_p_belongs_to_the_nucleus_and_none_after_it(p, kept):
    assert support(top_p(of(0.3, 0.1, 0.4, 0.2), p)) == [kept]
    assert support(top_p(of(0.3, 0.1, 0.4, 0.2).double(), p)) == [kept]


@pytest.mark.parametrize("size", [7, 10, 1000])
def test_what_reaches_p_but_for_rounding_has_reached_it(size):
    for k in range(1, size):
        assert support(top_p(torch.zeros(1, size), k / size)) == [list(range(k))]


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_the_nucleus_of_16_bit_logits_is_that_of_the_same_numbers_in_32(dtype):
    logits = drawn_logits(0, rows=2, size=5000).to(dtype)
    assert support(top_p(logits, 0.9)) == support(top_p(logits.float(), 0.9))


def test_all_of_the_probability_is_all_of_the_support():
    tail = torch.cat([torch.zeros(1, 1), torch.full((1, 5), -80.0)], dim=1)
    assert support(top_p(tail, 1.0)) == [[0, 1, 2, 3, 4, 5]]
    assert support(top_p(torch.tensor([[0.0, -torch.inf, 0.0]]), 1.0)) == [[0, 2]]


def test_top_p_after_top_k_looks_at_the_renormalized_rest():
    logits = of(0.4, 0.2, 0.2, 0.1, 0.1)
    assert support(top_p(logits, 0.65)) == [[0, 1, 2]]
    assert support(top_p(top_k(logits, 1), 0.65)) == [[0]]
    # 0.4 of the 0.6 that two tokens hold is two thirds already.
    logits = of(0.4, 0.2, 0.15, 0.15, 0.1)
    assert support(top_p(top_k(logits, 2), 0.65)) == [[0]]
    assert support(top_k(top_p(logits, 0.65), 2)) == [[0, 1]]


@given(seeds, shares, st.integers(1, 11), st.permutations(range(11)))
def test_filters_do_not_care_in_which_order_the_vocabulary_stands(seed, p, k, order):
    logits = drawn_logits(seed)
    for filtered in (lambda x: top_p(x, p), lambda x: top_k(x, k)):
        assert filtered(logits[:, order]).equal(filtered(logits)[:, order])


@given(seeds, shares, st.integers(1, 11))
def test_what_was_excluded_stays_excluded(seed, p, k):
    logits = drawn_logits(seed)
    logits[:, ::2] = -torch.inf
    ids = torch.arange(11).expand(3, -1)
    for filtered in (
        top_p(logits, p),
        top_k(logits, k),
        temperature(logits, 0.5),
        repetition_penalty(logits, ids, 2.0),
    ):
        assert not filtered.isnan().any()
        assert (filtered[:, ::2] == -torch.inf).all()


def test_a_repeated_token_is_penalized_once_and_padding_never():
    logits = torch.tensor([[2.0, -2.0, 3.0, -3.0]])
    ids = torch.tensor([[0, 0, 1, 3, 3]])
    expected = torch.tensor([[1.0, -4.0, 3.0, -6.0]])
    assert repetition_penalty(logits, ids, 2.0).equal(expected)
    assert repetition_penalty(logits, ids, 2.0, padding=3).equal(
        torch.tensor([[1.0, -4.0, 3.0, -3.0]])
    )


def test_no_filter_changes_what_it_was_given():
    logits = drawn_logits(0)
    before = logits.clone()
    top_p(logits, 0.5), top_k(logits, 2), temperature(logits, 2.0)
    repetition_penalty(logits, torch.zeros(3, 2, dtype=torch.int64), 2.0)
    assert logits.equal(before)


@pytest.mark.parametrize(
    ("filtered", "message"),
    [
        (lambda x: temperature(x, 0), "got 0.*greedy"),
        (lambda x: temperature(x, -1.0), "got -1"),
        (lambda x: temperature(x, float("nan")), "got nan"),
        (lambda x: top_k(x, 0), "k = 0"),
        (lambda x: top_k(x, 2.5), "k = 2.5"),
        (lambda x: top_p(x, 0.0), "got 0.0"),
        (lambda x: top_p(x, 1.1), "got 1.1"),
        (lambda x: repetition_penalty(x, torch.zeros(3, 1, dtype=torch.int64), 0.0), "got 0.0"),
        (lambda x: top_p(x - torch.inf, 0.5), "row 0.*-inf.*every token"),
        (lambda x: top_p(x - torch.inf, 1), "row 0.*-inf.*every token"),
        (lambda x: top_k(x - torch.inf, 2), "row 0.*-inf.*every token"),
        (lambda x: top_p(x * float("nan"), 0.5), "nan"),
    ],
)
def test_what_gives_no_distribution_is_refused(filtered, message):
    with pytest.raises(ValueError, match=message):
        filtered(drawn_logits(0))


def test_ids_of_another_batch_are_refused():
    with pytest.raises(ShapeError, match=r"\(3, 11\).*\(2, 4\)"):
        repetition_penalty(drawn_logits(0), torch.zeros(2, 4, dtype=torch.int64), 2.0)
