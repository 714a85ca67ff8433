from functools import partial

import pytest
import torch
from torch import nn

from headway.nn.block import Block, DecoderBlock, PreNorm, Stack
from headway.nn.feed_forward import FeedForward
from headway.nn.interchange import load_from_torch, load_into_torch
from headway.nn.multihead import MultiHeadAttention
from headway.shapes import ShapeError


def block():
    return Block(MultiHeadAttention(12, 3), FeedForward(12, 20), partial(PreNorm, 12))


def decoder_block():
    attentions = MultiHeadAttention(12, 3), MultiHeadAttention(12, 3)
    return DecoderBlock(*attentions, FeedForward(12, 20), partial(PreNorm, 12))


PAIRS = {
    "attention": (lambda: MultiHeadAttention(12, 3), lambda: nn.MultiheadAttention(12, 3)),
    "no bias": (
        lambda: MultiHeadAttention(12, 3, bias=False),
        lambda: nn.MultiheadAttention(12, 3, bias=False),
    ),
    "block": (block, lambda: nn.TransformerEncoderLayer(12, 3, 20)),
    "decoder block": (decoder_block, lambda: nn.TransformerDecoderLayer(12, 3, 20)),
    "stack": (
        lambda: Stack((decoder_block() for _ in range(2)), nn.LayerNorm(12)),
        lambda: nn.TransformerDecoder(nn.TransformerDecoderLayer(12, 3, 20), 2, nn.LayerNorm(12)),
    ),
}


@pytest.mark.parametrize("pair", PAIRS)
def test_weights_that_go_to_torch_and_back_are_the_same(pair):
    ours, theirs = (make() for make in PAIRS[pair])
    for parameter in ours.parameters():
        nn.init.normal_(parameter)
    load_into_torch(ours, theirs)
    assert sum(p.sum() for p in theirs.parameters()) != 0
    again = PAIRS[pair][0]()
    load_from_torch(again, theirs)
    for name, weight in ours.state_dict().items():
        assert weight.equal(again.state_dict()[name]), name


@pytest.mark.parametrize("load", [load_from_torch, load_into_torch])
@pytest.mark.parametrize(
    ("ours", "theirs", "message"),
    [
        (MultiHeadAttention(12, 3), nn.MultiheadAttention(12, 4), r"\[3\] here and \[4\]"),
        (
            MultiHeadAttention(12, 3, bias=False),
            nn.MultiheadAttention(12, 3),
            r"missing here and \(",
        ),
        (MultiHeadAttention(12, 4, 2), nn.MultiheadAttention(12, 4), "shared key/value heads"),
        (
            Stack([block()]),
            nn.TransformerEncoder(
                nn.TransformerEncoderLayer(12, 3, 20), 2, enable_nested_tensor=False
            ),
            "missing here",
        ),
    ],
)
def test_modules_that_differ_are_refused_and_left_alone(load, ours, theirs, message):
    before = [p.clone() for p in (*ours.parameters(), *theirs.parameters())]
    with pytest.raises(ShapeError, match=message):
        load(ours, theirs)
    after = (*ours.parameters(), *theirs.parameters())
    assert all(torch.equal(a, b) for a, b in zip(before, after, strict=True))
