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
from tests.models.weights import random_ids

seeds = st.integers(0, 10_000)
shares = st.floats(0.01, 0.99)


def drawn_logits(seed, rows=3, size=11):
    return torch.randn(rows, size, generator=torch.Generator().manual_seed(seed)) * 2


def support(logits):
    return [row.isfinite().nonzero().flatten().tolist() for row in logits]


@given(seeds, st.floats(0.05, 20), st.integers(1, 15), shares, st.integers(0, 20))
def test_each_filter_agrees_with_hugging_face(seed, T, k, p, length):
    logits, ids = drawn_logits(seed), random_ids(11, 3, length, seed)
    assert temperature(logits, T).equal(TemperatureLogitsWarper(T)(None, logits))
    assert top_k(logits, k).equal(TopKLogitsWarper(k)(None, logits))
    assert top_p(logits, p).equal(TopPLogitsWarper(p)(None, logits))
    expected = RepetitionPenaltyLogitsProcessor(T)(ids, logits)
    assert repetition_penalty(logits, ids, T).equal(expected)


def test_tokens_that_tie_for_the_last_place_all_stay():
    assert support(top_k(torch.tensor([[1.0, 2, 1, 0, 1]]), 2)) == [[0, 1, 2, 4]]
    # A nucleus is the smallest set: of equals it takes those with the lowest ids.
    assert support(top_p(torch.zeros(1, 5), 0.5)) == [[0, 1, 2]]
    assert support(top_p(torch.zeros(1, 5000), 0.1001)) == [list(range(501))]


@pytest.mark.parametrize(
    ("p", "kept"), [(1e-9, [2]), (0.4, [2]), (0.5, [0, 2]), (0.7, [0, 2]), (0.71, [0, 2, 3])]
)
def test_the_token_that_crosses_p_belongs_to_the_nucleus_and_none_after_it(p, kept):
    logits = torch.tensor([[0.3, 0.1, 0.4, 0.2]]).log()
    assert support(top_p(logits, p)) == support(top_p(logits.double(), p)) == [kept]


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
    logits, ids = torch.tensor([[2.0, -2.0, 3.0, -3.0]]), torch.tensor([[0, 0, 1, 3, 3]])
    assert repetition_penalty(logits, ids, 2.0).tolist() == [[1.0, -4.0, 3.0, -6.0]]
    assert repetition_penalty(logits, ids, 2.0, padding=3).tolist() == [[1.0, -4.0, 3.0, -3.0]]


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
        (lambda x: temperature(x, float("nan")), "got nan"),
        (lambda x: temperature(x, 1e-40), "from 1e-30 to 1e.30, got 1e-40"),
        (lambda x: top_k(x, 0), "k = 0"),
        (lambda x: top_k(x, 2.5), "k = 2.5"),
        (lambda x: top_p(x, 0.0), "got 0.0"),
        (lambda x: top_p(x, 1.1), "got 1.1"),
        (lambda x: repetition_penalty(x, torch.zeros(3, 1, dtype=torch.int64), 0.0), "got 0.0"),
        (lambda x: top_p(x - torch.inf, 0.5), "row 0.*-inf.*every token"),
        (lambda x: top_k(x - torch.inf, 2), "row 0.*-inf.*every token"),
        (lambda x: top_p(x * float("nan"), 0.5), "nan"),
        (lambda x: repetition_penalty(x, torch.zeros(2, 4).long(), 2.0), r"\(3, 11\).*\(2, 4\)"),
    ],
)
def test_what_gives_no_distribution_is_refused(filtered, message):
    with pytest.raises((ValueError, ShapeError), match=message):
        filtered(drawn_logits(0))
