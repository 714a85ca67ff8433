from functools import partial

import pytest
import torch
from torch import nn
from torch.nn import functional

from headway.nn.block import (
    Block,
    DecoderBlock,
    ParallelBlock,
    PostNorm,
    PreNorm,
    SandwichNorm,
    Stack,
    with_parts,
)
from headway.nn.feed_forward import FeedForward
from headway.nn.interchange import load_from_torch
from headway.nn.masks import causal_mask, padding_mask
from headway.nn.multihead import MultiHeadAttention
from headway.nn.norm import LayerNorm
from headway.shapes import ShapeError
from tests.nn.drawn import normal, rough

close = {"atol": 1e-5, "rtol": 1e-5}
RESIDUALS = {False: PostNorm, True: PreNorm}


def block(residual=PreNorm, activation=functional.relu, **named):
    return Block(
        MultiHeadAttention(12, 3), FeedForward(12, 20, activation), partial(residual, 12, **named)
    )


def decoder_block(residual=PreNorm, activation=functional.relu):
    attentions = MultiHeadAttention(12, 3), MultiHeadAttention(12, 3)
    return DecoderBlock(*attentions, FeedForward(12, 20, activation), partial(residual, 12))


@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize("activation", [functional.relu, functional.gelu])
@pytest.mark.parametrize("mode", ["no", "causal", "padding"])
def test_a_block_agrees_with_torchs_encoder_layer(norm_first, activation, mode):
    theirs = rough(
        nn.TransformerEncoderLayer(
            12, 3, 20, 0.0, activation, batch_first=True, norm_first=norm_first
        )
    )
    ours = block(RESIDUALS[norm_first], activation)
    load_from_torch(ours, theirs)
    x, lengths = normal(2, 5, 12), torch.tensor([3, 5])
    mask = padding_mask(lengths, 5)
    mine, other = {
        "no": ({}, {}),
        "causal": ({"causal": True}, {"src_mask": ~causal_mask(5)}),
        "padding": ({"mask": mask}, {"src_key_padding_mask": ~mask[:, 0, 0]}),
    }[mode]
    torch.testing.assert_close(ours(x, **mine), theirs(x, **other), **close)


@pytest.mark.parametrize("residual", [PreNorm, SandwichNorm])
def test_in_a_parallel_block_both_read_the_same_and_add_to_it(residual):
    make = partial(residual, 12)
    ours = rough(ParallelBlock(MultiHeadAttention(12, 3), FeedForward(12, 20), make))
    x = normal(2, 5, 12)
    zero = torch.zeros_like(x)
    ways = ours.attention_residual, ours.feed_forward_residual
    found = ways[0].after(zero, ours.attention(ways[0].before(x), causal=True))
    made = ways[1].after(zero, ours.feed_forward(ways[1].before(x)))
    torch.testing.assert_close(ours(x, causal=True), x + found + made, **close)
    in_turn = Block(ours.attention, ours.feed_forward, make)
    in_turn.load_state_dict(ours.state_dict())
    assert not torch.allclose(ours(x, causal=True), in_turn(x, causal=True), atol=0.1)


def test_a_sandwich_norms_what_is_read_and_what_is_added():
    way, x = rough(SandwichNorm(12)), normal(2, 5, 12)
    update = 100 * normal(2, 5, 12, seed=1)
    assert way.before(x).equal(way.norm(x))
    torch.testing.assert_close(way.after(x, update), x + way.norm_after(update), **close)
    torch.testing.assert_close(way.after(x, 9 * update), way.after(x, update), **close)


@pytest.mark.parametrize("norm_first", [False, True])
def test_stacks_of_decoder_blocks_agree_with_torchs_decoder_forward_and_backward(norm_first):
    layer = nn.TransformerDecoderLayer(12, 3, 20, 0.0, batch_first=True, norm_first=norm_first)
    theirs = rough(nn.TransformerDecoder(layer, 2, nn.LayerNorm(12)))
    blocks = (decoder_block(RESIDUALS[norm_first]) for _ in range(2))
    ours = Stack(blocks, nn.LayerNorm(12))
    load_from_torch(ours, theirs)
    x, memory = normal(2, 5, 12).requires_grad_(), normal(2, 7, 12, seed=1).requires_grad_()
    targets, source = padding_mask(torch.tensor([3, 5]), 5), padding_mask(torch.tensor([7, 2]), 7)
    mine = ours(x, memory, mask=targets, memory_mask=source)
    other = theirs(
        x,
        memory,
        tgt_mask=~causal_mask(5),
        tgt_key_padding_mask=~targets[:, 0, 0],
        memory_key_padding_mask=~source[:, 0, 0],
    )
    torch.testing.assert_close(mine, other, **close)
    grads = [torch.autograd.grad(y.square().sum(), (x, memory)) for y in (mine, other)]
    torch.testing.assert_close(*grads, atol=1e-4, rtol=1e-4)


def test_dropout_acts_in_training_on_what_the_sublayer_returns_and_nowhere_else():
    residual, x = PreNorm(12, dropout=0.25), normal(2, 500, 12)
    torch.manual_seed(0)
    added = residual.after(x, torch.ones_like(x)) - x
    kept = added > 0.5
    torch.testing.assert_close(added, kept / 0.75, **close)
    assert 0.73 < kept.float().mean() < 0.77
    assert residual.eval().after(x, torch.ones_like(x)).equal(x + 1)


def test_the_norm_of_a_block_can_be_chosen():
    explicit, fused, x = rough(block(norm=LayerNorm)), block(), normal(2, 5, 12)
    fused.load_state_dict(explicit.state_dict())
    torch.testing.assert_close(explicit(x), fused(x), **close)
    precise = block(norm=partial(nn.LayerNorm, eps=1e-12))
    assert precise.attention_residual.norm.eps == 1e-12


def test_a_bias_on_the_scores_reaches_the_self_attention_of_every_block():
    x, memory, bias = normal(2, 5, 12), normal(2, 7, 12, seed=1), normal(3, 5, 5, seed=2) * 9
    hides = torch.zeros(3, 5, 5).masked_fill(~causal_mask(5), -torch.inf)
    gpt, decoder = rough(block()), rough(decoder_block())
    torch.testing.assert_close(gpt(x, score_bias=hides), gpt(x, causal=True), **close)
    torch.testing.assert_close(decoder(x, memory, score_bias=hides), decoder(x, memory), **close)
    assert not torch.allclose(decoder(x, memory, score_bias=bias), decoder(x, memory))


@pytest.mark.parametrize("make", [block, decoder_block])
def test_a_block_with_another_part_shares_the_others_and_leaves_the_block_alone(make):
    one, attention = rough(make()), rough(MultiHeadAttention(12, 4))
    x, given = normal(2, 5, 12), [normal(2, 7, 12, seed=1)] * (make is decoder_block)
    before = one(x, *given)
    other = with_parts(one, attention=attention)
    shared = dict(other.named_parameters())
    kept = [name for name in shared if not name.startswith("attention.")]
    assert all(shared[name] is one.get_parameter(name) for name in kept)
    assert one(x, *given).equal(before)
    assert not torch.allclose(other(x, *given), before)
    one.attention = attention
    assert other(x, *given).equal(one(x, *given))


def test_blocks_used_twice_share_their_weights():
    shared, x = block(), normal(2, 5, 12)
    stack = Stack([shared, shared])
    assert len(list(stack.parameters())) == len(list(shared.parameters()))
    assert stack(x).equal(shared(shared(x)))


@pytest.mark.parametrize("module", [block(PreNorm), block(PostNorm)])
def test_another_width_is_refused(module):
    with pytest.raises(ShapeError, match=r"\(2, 5, 8\).*12"):
        module(normal(2, 5, 8))
