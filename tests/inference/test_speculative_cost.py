from fractions import Fraction

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

from headway.inference.cost import cached_step_flops, decoder_parameters
from headway.inference.drafts import Remembering
from headway.inference.kv_cache import CachedLanguageModel
from headway.inference.speculative import speculate
from headway.inference.speculative_cost import (
    acceptance,
    best_length,
    expected_tokens,
    more_work,
    round_bytes,
    round_flops,
    speedup,
)
from headway.models.language_model import LanguageModel, LanguageModelConfig
from tests.models.weights import random_ids

SMALL = LanguageModelConfig(vocabulary=13, context=24, width=8, heads=2, layers=1)
LARGE = LanguageModelConfig(vocabulary=13, context=24, width=16, heads=4, layers=3)
shares = st.fractions(0, 1, max_denominator=50)


@given(shares.filter(lambda a: a < 1), st.integers(0, 12))
def test_expected_tokens_are_the_closed_form_and_lie_between_one_and_all(alpha, n):
    assert expected_tokens(alpha, n) == (1 - alpha ** (n + 1)) / (1 - alpha)
    assert 1 <= expected_tokens(alpha, n) <= n + 1
    assert expected_tokens(Fraction(1), n) == n + 1
    assert expected_tokens(Fraction(0), n) == 1


@given(shares, shares, st.integers(0, 12))
def test_work_is_never_saved_and_time_only_where_the_draft_is_right_more_often_than_it_is_dear(
    alpha, share, n
):
    assert more_work(alpha, n, share) >= 1
    if n:
        assert (speedup(alpha, 1, share) > 1) == (alpha > share)
        assert alpha > share or speedup(alpha, n, share) <= 1
    assert speedup(alpha, 0, share) == more_work(alpha, 0, share) == 1


@given(shares, shares)
def test_the_best_length_is_none_where_drafting_does_not_pay(alpha, share):
    n = best_length(alpha, share, 10)
    assert (n > 0) == (alpha > share)
    assert all(speedup(alpha, n, share) >= speedup(alpha, k, share) for k in range(11))


def test_the_speedups_of_the_paper():
    """Leviathan et al. 2023, table 1, with a draft that costs nothing."""
    for alpha, n, work, times in [
        (0.6, 2, 1.53, 1.96),
        (0.7, 3, 1.58, 2.53),
        (0.8, 2, 1.23, 2.44),
        (0.8, 5, 1.63, 3.69),
        (0.9, 2, 1.11, 2.71),
        (0.9, 10, 1.60, 6.86),
    ]:
        assert more_work(alpha, n, 0) == pytest.approx(work, abs=0.01)
        assert speedup(alpha, n, 0) == pytest.approx(times, abs=0.01)


def test_acceptance_is_what_two_distributions_have_in_common():
    p, q = torch.randn(2, 5, 7, generator=torch.Generator().manual_seed(0)).double().softmax(-1)
    torch.testing.assert_close(acceptance(p, q), 1 - (p - q).abs().sum(-1) / 2)
    torch.testing.assert_close(acceptance(p, p), torch.ones(5).double())
    assert acceptance(torch.tensor([1.0, 0]), torch.tensor([0.0, 1])) == 0


def test_the_flops_of_a_round_are_what_torch_counts():
    large, small = (LanguageModel(c, torch.Generator()).eval() for c in (LARGE, SMALL))
    model, draft = (Remembering(CachedLanguageModel(m, 1)) for m in (large, small))
    ids = random_ids(13, 1, 9)[0]
    for reader in (model, draft):
        reader(ids[:-1], 1)  # both have read eight
    with sdpa_kernel(SDPBackend.MATH), FlopCounterMode(display=False) as counter:
        next(speculate(model, draft, ids, 15, 4))
    assert counter.get_total_flops() == sum(round_flops(LARGE, 4, 8, SMALL))


def test_without_proposals_a_round_is_a_step():
    assert round_flops(LARGE, 0, 8) == cached_step_flops(LARGE, 9)
    cache = 2 * 3 * 16 * 8
    assert round_bytes(LARGE, 0, 8) == 2 * (decoder_parameters(LARGE) + cache)


def test_a_round_reads_the_model_once_and_the_draft_for_each_proposal():
    model, draft = decoder_parameters(LARGE), decoder_parameters(SMALL)
    assert round_bytes(LARGE, 4, 0, SMALL, item_bytes=1) == model + 4 * draft
    assert round_bytes(LARGE, 4, 0, item_bytes=0.5625) == 0.5625 * model  # copying, in 4 bits


def test_what_is_no_probability_is_refused():
    for alpha, n in ((1.1, 2), (-0.1, 2), (0.5, -1)):
        with pytest.raises(ValueError, match=f"got {alpha}, {n}"):
            expected_tokens(alpha, n)
