"""A training step of a small translator beside other libraries' encoder–decoders of its size.

    python benchmarks/translator_step.py

A step is forward, cross-entropy, backward, clipping and AdamW, in float32 without dropout, on
sources with padding. Every side has the same optimizer (torch's fused AdamW), first as the models
are, then compiled with `torch.compile`. The last line is the limit: the matrix products alone.
"""

import warnings
from collections.abc import Callable, Iterator
from functools import partial

import torch
from measure import Case, devices, report
from peers import hugging_face_bart, mean_loss, products, step_cases, training_step
from torch import Tensor, nn
from torch.nn import functional
from x_transformers import XTransformer

from headway.models.translator import Translator, TranslatorConfig
from headway.nn.masks import padding_mask
from headway.training.loss import cross_entropy

C, H, L, S, T, B, V = 128, 4, 3, 32, 32, 64, 512
BLOCK = [(3 * C, C), (C, C), (4 * C, C), (C, 4 * C)]
CROSS = [(C, C), (2 * C, C), (C, C)]
WEIGHTS = BLOCK * L + (BLOCK + CROSS) * L + [(V, C)]


class TorchTranslator(nn.Module):
    """`nn.Transformer` between tied embeddings."""

    def __init__(self):
        super().__init__()
        self.embedding, self.position = nn.Embedding(V, C), nn.Embedding(S, C)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # no nested tensors: norms come first
            self.transformer = nn.Transformer(
                C, H, L, L, 4 * C, 0.0, functional.gelu, batch_first=True, norm_first=True
            )
        self.register_buffer("mask", torch.ones(T, T, dtype=torch.bool).triu(1), persistent=False)
        for table in (self.embedding, self.position):
            nn.init.normal_(table.weight, std=0.02)

    def forward(self, source: Tensor, target: Tensor, tokens: Tensor) -> Tensor:
        inputs = target[:, :-1]
        x = self.transformer(
            self.embedding(source) + self.position.weight,
            self.embedding(inputs) + self.position.weight,
            tgt_mask=self.mask,
            tgt_is_causal=True,
            src_key_padding_mask=~tokens,
            memory_key_padding_mask=~tokens,
        )
        return mean_loss(functional.linear(x, self.embedding.weight), target[:, 1:])


class BartTranslator(nn.Module):
    """Hugging Face's Bart."""

    def __init__(self):
        super().__init__()
        self.model = hugging_face_bart(V, 64, C, H, L)

    def forward(self, source: Tensor, target: Tensor, tokens: Tensor) -> Tensor:
        out = self.model(
            input_ids=source,
            attention_mask=tokens.long(),
            decoder_input_ids=target[:, :-1],
            use_cache=False,
        )
        return mean_loss(out.logits, target[:, 1:])


class XTranslator(nn.Module):
    """x-transformers' encoder–decoder."""

    def __init__(self):
        super().__init__()
        side = {"num_tokens": V, "depth": L, "heads": H, "attn_dim_head": C // H}
        settings = {
            f"{which}_{name}": value for which in ("enc", "dec") for name, value in side.items()
        }
        self.model = XTransformer(
            dim=C,
            enc_max_seq_len=S,
            dec_max_seq_len=T + 1,
            enc_attn_flash=True,
            dec_attn_flash=True,
            tie_token_emb=True,
            **settings,
        )

    def forward(self, source: Tensor, target: Tensor, tokens: Tensor) -> Tensor:
        return self.model(source, target, mask=tokens)


class OurTranslator(nn.Module):
    """Ours, with our loss."""

    def __init__(self):
        super().__init__()
        config = TranslatorConfig(vocabulary=V, context=S, width=C, heads=H, layers=L)
        self.model = Translator(config, torch.Generator().manual_seed(0))

    def forward(self, source: Tensor, target: Tensor, tokens: Tensor) -> Tensor:
        logits = self.model(source, target[:, :-1], tokens[:, None, None, :])
        return cross_entropy(logits, target[:, 1:])


def step(model: nn.Module, device: str, compiled: bool = False) -> Callable[[], None]:
    """A training step of a model that gives its loss, as a function."""
    torch.manual_seed(0)
    source, target = torch.randint(3, V, (B, S)), torch.randint(3, V, (B, T + 1))
    tokens = padding_mask(torch.linspace(S // 2, S, B).long(), S)[:, 0, 0]
    batch = [tensor.to(device) for tensor in (source, target, tokens)]
    model = model.to(device)
    return training_step(model, lambda: model(*batch), compiled)


def steps(device: str, compiled: bool) -> tuple[Callable[[], None], dict[str, Callable[[], None]]]:
    """Our step and theirs, each on a model of its own."""
    peers = {
        "nn.Transformer": TorchTranslator(),
        "Hugging Face Bart": BartTranslator(),
        "x-transformers": XTranslator(),
    }
    theirs = {name: step(peer, device, compiled) for name, peer in peers.items()}
    return step(OurTranslator(), device, compiled), theirs


def cases() -> Iterator[Case]:
    """Each device: the step uncompiled, compiled, and its limit."""
    for device in devices():
        name = f"training step, {L}+{L} blocks, C {C}, H {H}, S {S}, T {T}, B {B}"
        yield from step_cases(name, device, partial(steps, device))
        limit = {"its matrix products alone": products(WEIGHTS, B * T, device)}
        yield Case(f"limit of the step, {device}", step(OurTranslator(), device), limit)


if __name__ == "__main__":
    report("translator_step", "Training steps of an encoder–decoder", cases())
