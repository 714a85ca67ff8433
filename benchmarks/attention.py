"""Attention and transformer blocks beside torch's: ratios of median times, measured in turn.

    python benchmarks/attention.py [NAME ...]

A ratio below 1 means that `headway` is faster. Both sides have the same weights. `forward` is
evaluation without gradients, `step` a forward and backward pass in training mode, dropout 0. Where
there is a CUDA device, everything is measured there too. The last rows hold the explicit forms
against the fused.
"""

import sys
from collections.abc import Callable, Iterator
from functools import partial

import torch
from measure import Case, devices, report
from torch import Tensor, nn
from torch.nn import functional

from headway.nn.attention import attend, attend_fused
from headway.nn.block import Block, DecoderBlock, PostNorm, PreNorm
from headway.nn.feed_forward import FeedForward
from headway.nn.interchange import load_into_torch
from headway.nn.masks import causal_mask, padding_mask
from headway.nn.multihead import MultiHeadAttention
from headway.nn.norm import LayerNorm

C, H, M = 128, 4, 512
RESIDUALS = {"pre-norm": PreNorm, "post-norm": PostNorm}
Side = Callable[[Tensor], Tensor]


def self_attention(x: Tensor) -> tuple[nn.Module, nn.Module, Side, Side]:
    """Causal self-attention against `nn.MultiheadAttention`."""
    ours, theirs = MultiHeadAttention(C, H), nn.MultiheadAttention(C, H, batch_first=True)
    hidden = ~causal_mask(x.shape[1], device=x.device)

    def other(x: Tensor) -> Tensor:
        return theirs(x, x, x, attn_mask=hidden, is_causal=True, need_weights=False)[0]

    return ours, theirs, partial(ours, causal=True), other


def cross_attention(x: Tensor) -> tuple[nn.Module, nn.Module, Side, Side]:
    """Attention to a padded memory against `nn.MultiheadAttention`."""
    ours, theirs = MultiHeadAttention(C, H), nn.MultiheadAttention(C, H, batch_first=True)
    memory, mask = memory_of(x)
    hidden = ~mask[:, 0, 0]

    def other(x: Tensor) -> Tensor:
        return theirs(x, memory, memory, key_padding_mask=hidden, need_weights=False)[0]

    return ours, theirs, lambda x: ours(x, memory, mask), other


def encoder_block(norm: str, causal: bool, x: Tensor) -> tuple[nn.Module, nn.Module, Side, Side]:
    """A block against `nn.TransformerEncoderLayer`, causal or with padding."""
    residual = partial(RESIDUALS[norm], C)
    ours = Block(MultiHeadAttention(C, H), FeedForward(C, M, functional.gelu), residual)
    theirs = nn.TransformerEncoderLayer(
        C, H, M, 0.0, functional.gelu, batch_first=True, norm_first=norm == "pre-norm"
    )
    if causal:
        hidden = ~causal_mask(x.shape[1], device=x.device)
        other = partial(theirs, src_mask=hidden, is_causal=True)
        return ours, theirs, partial(ours, causal=True), other
    _, mask = memory_of(x)
    return (
        ours,
        theirs,
        partial(ours, mask=mask),
        partial(theirs, src_key_padding_mask=~mask[:, 0, 0]),
    )


def decoder_block(norm: str, x: Tensor) -> tuple[nn.Module, nn.Module, Side, Side]:
    """A decoder block with a padded memory against `nn.TransformerDecoderLayer`."""
    attentions = MultiHeadAttention(C, H), MultiHeadAttention(C, H)
    ours = DecoderBlock(*attentions, FeedForward(C, M), partial(RESIDUALS[norm], C))
    theirs = nn.TransformerDecoderLayer(
        C, H, M, 0.0, batch_first=True, norm_first=norm == "pre-norm"
    )
    memory, mask = memory_of(x)
    other = partial(
        theirs,
        memory=memory,
        tgt_mask=~causal_mask(x.shape[1], device=x.device),
        tgt_is_causal=True,
        memory_key_padding_mask=~mask[:, 0, 0],
    )
    return ours, theirs, partial(ours, memory=memory, memory_mask=mask), other


def memory_of(x: Tensor) -> tuple[Tensor, Tensor]:
    """A memory like x, and the mask of its padding: lengths from half to whole."""
    B, T, _ = x.shape
    lengths = torch.linspace(T // 2, T, B, device=x.device).long()
    return torch.randn_like(x), padding_mask(lengths, T)


def heads_only(function: Side) -> Callable[[Tensor], tuple[nn.Module, nn.Module, Side, Side]]:
    """A row for a function of query, key, value (here the same) against the fused kernel."""

    def make(x: Tensor) -> tuple[nn.Module, nn.Module, Side, Side]:
        B, T, _ = x.shape
        mask = causal_mask(T, device=x.device)

        def split(x: Tensor) -> Tensor:
            return x.view(B, T, H, C // H).transpose(1, 2)

        def kernel(x: Tensor) -> Tensor:
            x = split(x)
            return functional.scaled_dot_product_attention(x, x, x, attn_mask=mask)

        return nn.Module(), nn.Module(), lambda x: function(split(x), mask), kernel

    return make


def norm(x: Tensor) -> tuple[nn.Module, nn.Module, Side, Side]:
    """The explicit layer norm against torch's."""
    ours, theirs = LayerNorm(C), nn.LayerNorm(C)
    return ours, theirs, ours, theirs


LONG, SHORT = (16, 128), (64, 32)
ROWS = {
    "self-attention, causal": (self_attention, LONG, "nn.MultiheadAttention"),
    "cross-attention, padded": (cross_attention, SHORT, "nn.MultiheadAttention"),
    **{
        f"{name}, {norm}": (partial(make, norm, *given), sizes, peer)
        for norm in RESIDUALS
        for name, make, given, sizes, peer in (
            ("block, causal", encoder_block, (True,), LONG, "nn.TransformerEncoderLayer"),
            ("block, padded", encoder_block, (False,), SHORT, "nn.TransformerEncoderLayer"),
            ("decoder block", decoder_block, (), SHORT, "nn.TransformerDecoderLayer"),
        )
    },
    "attend_fused": (
        heads_only(lambda x, mask: attend_fused(x, x, x, mask)),
        LONG,
        "scaled_dot_product_attention",
    ),
    "attend, explicit": (
        heads_only(lambda x, mask: attend(x, x, x, mask)[0]),
        LONG,
        "scaled_dot_product_attention",
    ),
    "LayerNorm, explicit": (norm, LONG, "nn.LayerNorm"),
}


def cases(names: list[str]) -> Iterator[Case]:
    """Forward and step of the rows, on every device."""
    for device in devices():
        for name in names:
            yield from pair(name, device)


def pair(name: str, device: str) -> Iterator[Case]:
    """One row of `ROWS`, forward and step, with the same weights on both sides."""
    make, (B, T), peer = ROWS[name]
    torch.manual_seed(0)
    with torch.device(device):
        x = torch.randn(B, T, C)
        ours, theirs, run, other = make(x)
    if isinstance(ours, MultiHeadAttention | Block | DecoderBlock):
        load_into_torch(ours, theirs)
    torch.testing.assert_close(run(x), other(x), atol=1e-4, rtol=1e-3)
    for mode, act in (("forward", forward), ("step", step)):
        for module in (ours, theirs):
            module.train(mode == "step")
        yield Case(
            f"{name}, {mode}, {device}, B {B}, T {T}",
            partial(act, run, x),
            {peer: partial(act, other, x)},
            target=None if "explicit" in name else 1.0,
        )


@torch.no_grad()
def forward(function: Side, x: Tensor) -> None:
    function(x)


def step(function: Side, x: Tensor) -> None:
    function(x.detach().requires_grad_()).sum().backward()


if __name__ == "__main__":
    asked = sys.argv[1:] or [""]
    report(
        "attention",
        f"Attention and blocks: C {C}, H {H}, M {M}",
        cases([name for name in ROWS if any(part in name for part in asked)]),
    )
