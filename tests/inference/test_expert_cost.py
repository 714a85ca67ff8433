from dataclasses import replace
from itertools import combinations, product

import pytest
import torch

from headway.inference.cost import decoder_parameters, forward_flops
from headway.inference.expert_cost import (
    active_parameters,
    distinct_experts,
    expert_parameters,
    weight_bytes,
)
from headway.inference.latency import A100, step_seconds
from headway.models.language_model import CONFIGS, LanguageModel, LanguageModelConfig
from headway.models.parts import parameter_count

SMALL = LanguageModelConfig(
    vocabulary=50, context=32, width=24, heads=6, layers=3, gated=True, experts=5
)
MIXTRAL, QWEN = CONFIGS["mixtral-8x7b"], CONFIGS["qwen-3-30b-a3b"]


def test_published_mixtures_have_the_sizes_that_are_in_their_names():
    assert decoder_parameters(MIXTRAL) == 46_702_792_704  # half the bytes of its files, in 16 bits
    assert decoder_parameters(QWEN) == 30_532_122_624
    # Jiang et al. 2024 say 13 billion; "A3B" is 3 billion.
    assert [round(active_parameters(config) / 1e9, 1) for config in (MIXTRAL, QWEN)] == [12.9, 3.4]


@pytest.mark.parametrize("bias", [True, False])
def test_experts_are_counted_as_in_a_model(bias):
    model = LanguageModel(replace(SMALL, bias=bias), torch.Generator())
    in_blocks = sum(parameter_count(block.feed_forward.experts[0]) for block in model.stack.blocks)
    assert expert_parameters(model.config) == in_blocks
    assert active_parameters(model.config) == parameter_count(model) - 3 * in_blocks


def test_all_experts_active_is_the_whole_model_and_a_dense_one_has_no_experts():
    whole = replace(SMALL, active_experts=5)
    assert active_parameters(whole) == decoder_parameters(whole)
    dense = replace(SMALL, experts=None)
    assert active_parameters(dense) == decoder_parameters(dense)
    assert expert_parameters(dense) == 0
    assert weight_bytes(dense, 7) == 2 * decoder_parameters(dense)


def test_work_grows_with_the_active_experts_and_not_with_those_there_are():
    def work(experts, active):
        config = replace(SMALL, experts=experts, active_experts=active)
        return forward_flops(config, 9).feed_forward

    dense = forward_flops(replace(SMALL, experts=None), 9).feed_forward
    router = 2 * 9 * 24 * 3  # for each expert there is
    assert work(8, 2) == 2 * dense + 8 * router
    assert work(64, 2) - work(8, 2) == 56 * router
    assert router * 8 < dense / 20


@pytest.mark.parametrize(("E", "k", "n"), [(4, 1, 3), (4, 2, 3), (5, 2, 2), (3, 3, 2)])
def test_distinct_experts_are_the_mean_over_all_choices(E, k, n):
    choices = list(product(combinations(range(E), k), repeat=n))
    mean = sum(len(set().union(*choice)) for choice in choices) / len(choices)
    assert distinct_experts(E, k, n) == pytest.approx(mean)


def test_one_token_reads_its_experts_and_many_read_all():
    assert distinct_experts(8, 2, 0) == 0
    assert weight_bytes(MIXTRAL) == pytest.approx(2 * active_parameters(MIXTRAL))
    assert weight_bytes(MIXTRAL, 10_000) == pytest.approx(2 * decoder_parameters(MIXTRAL))
    few = [weight_bytes(MIXTRAL, n) for n in range(1, 20)]
    assert few == sorted(few)


def test_a_step_for_one_sentence_takes_the_time_of_the_active_weights():
    assert step_seconds(MIXTRAL, 1, 1, A100) == pytest.approx(
        2 * active_parameters(MIXTRAL) / A100.bandwidth, rel=1e-3
    )
    dense = replace(MIXTRAL, experts=None, hidden=2 * MIXTRAL.hidden)
    for batch, slower in ((1, 1.0), (16, 3.6)):
        times = [step_seconds(config, batch, 1, A100) for config in (MIXTRAL, dense)]
        assert times[0] / times[1] == pytest.approx(slower, rel=0.01)


def test_numbers_that_mean_nothing_are_refused():
    with pytest.raises(ValueError, match="got 9 of 8"):
        distinct_experts(8, 9, 1)
    with pytest.raises(ValueError, match="tokens must be at least 0, got -1"):
        weight_bytes(MIXTRAL, -1)
