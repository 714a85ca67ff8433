"""A training step of a small language model beside other libraries' models of the same size.

    python benchmarks/decoder_step.py

A step is forward, cross-entropy, backward, clipping and AdamW, in float32 without dropout. Every
side has the same optimizer (torch's fused AdamW) and the same loss, so that the models are what
differs: first as the models are, then compiled with `torch.compile`. The last line is the limit,
the matrix products of the step alone, without anything between them, in the shapes in which they
occur.
"""

from collections.abc import Callable, Iterator
from functools import partial

import torch
from measure import Case, devices, report
from peers import (
    PlainDecoder,
    TorchDecoder,
    hugging_face_gpt2,
    mean_loss,
    products,
    step_cases,
    training_step,
    x_decoder,
)
from torch import Tensor, nn

from headway.models.language_model import LanguageModel, LanguageModelConfig
from headway.training.loss import cross_entropy

C, H, L, T, B, V = 128, 4, 4, 128, 16, 512
WEIGHTS = [(3 * C, C), (C, C), (4 * C, C), (C, 4 * C)] * L + [(V, C)]


def our_step(ids: Tensor, compiled: bool) -> Callable[[], None]:
    """A training step of `LanguageModel`."""
    config = LanguageModelConfig(vocabulary=V, context=T, width=C, heads=H, layers=L)
    model = LanguageModel(config, torch.Generator().manual_seed(0)).to(ids.device)

    def loss() -> Tensor:
        return cross_entropy(model(ids[:, :-1]), ids[:, 1:])

    return training_step(model, loss, compiled)


def their_step(model: nn.Module, ids: Tensor, compiled: bool) -> Callable[[], None]:
    """A training step of a model from ids (B, T) to logits, or to a result that has them."""
    model = model.to(ids.device)

    def loss() -> Tensor:
        logits = model(ids[:, :-1])
        return mean_loss(getattr(logits, "logits", logits), ids[:, 1:])

    return training_step(model, loss, compiled)


def steps(ids: Tensor, compiled: bool) -> tuple[Callable[[], None], dict[str, Callable[[], None]]]:
    """Our step and theirs, each on a model of its own."""
    sizes = (V, T, C, H, L)
    peers = {
        "plain torch (nanoGPT's style)": PlainDecoder(*sizes),
        "nn.TransformerEncoder": TorchDecoder(*sizes),
        "x-transformers": x_decoder(*sizes),
        "Hugging Face GPT-2": hugging_face_gpt2(*sizes),
    }
    theirs = {name: their_step(peer, ids, compiled) for name, peer in peers.items()}
    return our_step(ids, compiled), theirs


def cases() -> Iterator[Case]:
    """Each device: the step uncompiled, compiled, and its limit."""
    for device in devices():
        torch.manual_seed(0)
        ids = torch.randint(V, (B, T + 1), device=device)
        name = f"training step, C {C}, H {H}, L {L}, T {T}, B {B}, V {V}"
        yield from step_cases(name, device, partial(steps, ids))
        limit = {"its matrix products alone": products(WEIGHTS, B * T, device)}
        yield Case(f"limit of the step, {device}", our_step(ids, False), limit)


if __name__ == "__main__":
    report("decoder_step", "Training steps of a decoder", cases())
