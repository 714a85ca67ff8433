import math
from functools import partial

import pytest
import torch
from torch import nn

from headway.nn.block import Block, DecoderBlock, PreNorm, Stack
from headway.nn.feed_forward import FeedForward, GatedFeedForward
from headway.nn.initialization import normal, scale_residual, xavier
from headway.nn.multihead import MultiHeadAttention
from tests.nn.drawn import seeded


def block(width=64, kind=FeedForward):
    attention, network = MultiHeadAttention(width, 4, 2), kind(width, 4 * width)
    return Block(attention, network, partial(PreNorm, width))


def decoder_block(width=64):
    attentions = MultiHeadAttention(width, 4), MultiHeadAttention(width, 4)
    return DecoderBlock(*attentions, FeedForward(width, 4 * width), partial(PreNorm, width))


@pytest.mark.parametrize("initialize", [xavier, normal])
def test_the_same_seed_gives_the_same_weights_and_leaves_torchs_own_stream_alone(initialize):
    modules = [Stack([block(), decoder_block()], nn.LayerNorm(64)) for _ in range(3)]
    before = torch.get_rng_state()
    for module, seed in zip(modules, (1, 1, 2), strict=True):
        initialize(module, seeded(seed))
    assert torch.get_rng_state().equal(before)
    first, same, other = (nn.utils.parameters_to_vector(m.parameters()) for m in modules)
    assert first.equal(same)
    assert not first.equal(other)


def test_xavier_fills_each_matrix_up_to_its_bound_and_takes_fused_ones_apart():
    module = block(kind=GatedFeedForward)
    xavier(module, seeded())
    attention, network = module.attention, module.feed_forward
    query, key, value = attention.qkv.weight.split(attention.widths)
    assert key.shape == (32, 64)
    gate_and_up = network.expand.weight.chunk(2)
    for weight in (query, key, value, attention.output.weight, *gate_and_up):
        bound = math.sqrt(6 / sum(weight.shape))
        assert 0.98 * bound < weight.abs().max() <= bound
        assert abs(weight.std() / (bound / math.sqrt(3)) - 1) < 0.05


def test_normal_weights_have_the_spread_and_biases_are_zero_and_gains_one():
    module = nn.Sequential(nn.Embedding(100, 64), block(), nn.Linear(64, 100, bias=False))
    normal(module, seeded(), std=0.02)
    for name, parameter in module.named_parameters():
        if parameter.dim() == 2:
            assert abs(parameter.std() / 0.02 - 1) < 0.05, name
            assert abs(parameter.mean()) < 0.001, name
        else:
            assert (parameter == float("norm.weight" in name)).all(), name


def test_what_was_given_its_own_start_keeps_it():
    module = nn.Module()
    module.table = nn.Parameter(torch.full((3, 4), 7.0))
    normal(module, seeded())
    assert (module.table == 7).all()


def test_the_last_product_of_every_sublayer_shrinks_with_the_number_of_sublayers():
    stack = Stack([block(kind=GatedFeedForward), decoder_block()])
    before = {name: weight.clone() for name, weight in stack.named_parameters()}
    assert scale_residual(stack) == 5
    for name, weight in stack.named_parameters():
        last = name.endswith(("output.weight", "contract.weight"))
        expected = before[name] / math.sqrt(5) if last else before[name]
        torch.testing.assert_close(weight, expected)


def test_shared_blocks_count_as_often_as_they_run():
    shared = block()
    before = shared.attention.output.weight.clone()
    assert scale_residual(Stack([shared] * 8)) == 16
    torch.testing.assert_close(shared.attention.output.weight, before / 4)


def test_a_module_without_blocks_has_nothing_to_scale():
    with pytest.raises(ValueError, match="MultiHeadAttention holds no Block"):
        scale_residual(MultiHeadAttention(12, 3))
