import copy
from functools import partial

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn
from torch.nn import functional

from headway.nn.block import Block, DecoderBlock, PostNorm, PreNorm, Stack, with_parts
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


@pytest.mark.parametrize("norm_first", [False, True])
def test_a_decoder_block_agrees_with_torchs_decoder_layer_forward_and_backward(norm_first):
    theirs = rough(
        nn.TransformerDecoderLayer(12, 3, 20, 0.0, batch_first=True, norm_first=norm_first)
    )
    ours = decoder_block(RESIDUALS[norm_first])
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
    for a, b in zip(*grads, strict=True):
        torch.testing.assert_close(a, b, atol=1e-4, rtol=1e-4)


@pytest.mark.filterwarnings("ignore:enable_nested_tensor")
@pytest.mark.parametrize("norm_first", [False, True])
def test_stacks_agree_with_the_whole_torch_transformer(norm_first):
    theirs = rough(nn.Transformer(12, 3, 2, 3, 20, 0.0, batch_first=True, norm_first=norm_first))
    residual = RESIDUALS[norm_first]
    encoder = Stack((block(residual) for _ in range(2)), nn.LayerNorm(12))
    decoder = Stack((decoder_block(residual) for _ in range(3)), nn.LayerNorm(12))
    load_from_torch(encoder, theirs.encoder)
    load_from_torch(decoder, theirs.decoder)
    source, targets = normal(2, 7, 12), normal(2, 5, 12, seed=1)
    mask = padding_mask(torch.tensor([7, 2]), 7)
    hidden = ~mask[:, 0, 0]
    expected = theirs(
        source,
        targets,
        tgt_mask=~causal_mask(5),
        src_key_padding_mask=hidden,
        memory_key_padding_mask=hidden,
    )
    memory = encoder(source, mask=mask)
    torch.testing.assert_close(decoder(targets, memory, memory_mask=mask), expected, **close)


@pytest.mark.parametrize("residual", [PreNorm, PostNorm])
@settings(max_examples=25)
@given(t=st.integers(0, 4), seed=st.integers(0, 10_000))
def test_no_output_sees_later_tokens_at_any_depth(residual, t, seed):
    x, memory = normal(2, 5, 12), normal(2, 7, 12, seed=1)
    other = x.clone()
    other[:, t] += normal(12, seed=seed)
    gpt = rough(Stack(block(residual) for _ in range(2)))
    decoder = rough(Stack(decoder_block(residual) for _ in range(2)))
    for function in (partial(gpt, causal=True), lambda x: decoder(x, memory)):
        before, after = function(x), function(other)
        assert before[:, :t].equal(after[:, :t])
        assert not torch.allclose(before[:, t], after[:, t])


@pytest.mark.parametrize("residual", [PreNorm, PostNorm])
def test_an_encoder_treats_its_tokens_as_a_set(residual):
    encoder, x = rough(Stack(block(residual) for _ in range(2))), normal(2, 5, 12)
    order = torch.tensor([3, 0, 4, 1, 2])
    torch.testing.assert_close(encoder(x[:, order]), encoder(x)[:, order], **close)


def test_pre_norm_lets_the_input_pass_and_post_norm_normalizes_what_leaves():
    x = normal(2, 5, 12)
    nothing = torch.zeros_like(x)
    pre, post, norm = PreNorm(12), PostNorm(12), nn.LayerNorm(12)
    assert pre.before(x).equal(norm(x))
    assert post.before(x).equal(x)
    assert pre.after(x, nothing).equal(x)
    assert post.after(x, nothing).equal(norm(x))


def test_dropout_acts_in_training_on_what_the_sublayer_returns_and_nowhere_else():
    residual, x = PreNorm(12, dropout=0.25), normal(2, 500, 12)
    torch.manual_seed(0)
    added = residual.after(x, torch.ones_like(x)) - x
    kept = added > 0.5
    torch.testing.assert_close(added, kept / 0.75, **close)
    assert 0.73 < kept.float().mean() < 0.77
    assert residual.eval().after(x, torch.ones_like(x)).equal(x + 1)


def test_the_norm_of_a_block_can_be_chosen():
    x = normal(2, 5, 12)
    explicit, fused = rough(block(norm=LayerNorm)), block()
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
    shared = block()
    stack = Stack([shared, shared])
    assert len(list(stack.parameters())) == len(list(shared.parameters()))
    x = normal(2, 5, 12)
    assert stack(x).equal(shared(shared(x)))
    apart = Stack([shared, copy.deepcopy(shared)])
    assert len(list(apart.parameters())) == 2 * len(list(shared.parameters()))


@pytest.mark.parametrize("module", [block(PreNorm), block(PostNorm)])
def test_another_width_is_refused(module):
    with pytest.raises(ShapeError, match=r"\(2, 5, 8\).*12"):
        module(normal(2, 5, 8))
