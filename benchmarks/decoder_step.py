"""A training step of a small language model beside other libraries' models of the same size.

    python benchmarks/decoder_step.py

A step is forward, cross-entropy, backward, clipping and AdamW, in float32 without dropout. Every
side has the same optimizer (torch's fused AdamW) and the same loss, so that the models are what
differs. The last line is the limit: the matrix products of the step alone, without anything between
them, in the shapes in which they occur.
"""

from collections.abc import Callable, Iterator

import torch
from measure import Case, devices, report
from peers import PlainDecoder, TorchDecoder, hugging_face_gpt2, x_decoder
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils import clip_grad_norm_

from headway.models.language_model import LanguageModel, LanguageModelConfig
from headway.training.loss import cross_entropy
from headway.training.optimizer import adamw

C, H, L, T, B, V = 128, 4, 4, 128, 16, 512


def step(model: nn.Module, ids: Tensor, device: str) -> Callable[[], None]:
    """One training step of a model from token ids to logits, as a function."""
    model = model.to(device).train()
    optimizer = adamw(model, 1e-3)
    inputs, targets = ids[:, :-1], ids[:, 1:]

    def run() -> None:
        logits = model(inputs)
        logits = getattr(logits, "logits", logits)
        optimizer.zero_grad()
        functional.cross_entropy(logits.flatten(0, 1), targets.flatten()).backward()
        clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()

    return run


def our_step(ids: Tensor, device: str) -> Callable[[], None]:
    """The same with our model and our loss."""
    config = LanguageModelConfig(vocabulary=V, context=T, width=C, heads=H, layers=L)
    model = LanguageModel(config, torch.Generator().manual_seed(0)).to(device).train()
    optimizer = adamw(model, 1e-3)

    def run() -> None:
        loss = cross_entropy(model(ids[:, :-1]), ids[:, 1:])
        optimizer.zero_grad()
        loss.backward()
        clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()

    return run


def products(device: str) -> Callable[[], None]:
    """Every matrix product of a step: three for each weight (forward, and two backward)."""
    weights = [(3 * C, C), (C, C), (4 * C, C), (C, 4 * C)] * L + [(V, C)]
    drawn = [(torch.randn(B * T, i), torch.randn(o, i), torch.randn(B * T, o)) for o, i in weights]
    moved = [tuple(tensor.to(device) for tensor in three) for three in drawn]

    def run() -> None:
        for x, weight, gradient in moved:
            x @ weight.T
            gradient @ weight
            gradient.T @ x

    return run


def cases() -> Iterator[Case]:
    """One case a device."""
    sizes = (V, T, C, H, L)
    for device in devices():
        torch.manual_seed(0)
        ids = torch.randint(V, (B, T + 1), device=device)
        peers = {
            "plain torch (nanoGPT's style)": PlainDecoder(*sizes),
            "nn.TransformerEncoder": TorchDecoder(*sizes),
            "x-transformers": x_decoder(*sizes),
            "Hugging Face GPT-2": hugging_face_gpt2(*sizes),
        }
        ours = our_step(ids, device)
        steps = {name: step(model, ids, device) for name, model in peers.items()}
        name = f"training step, C {C}, H {H}, L {L}, T {T}, B {B}, V {V}, {device}"
        yield Case(name, ours, steps, target=0.95, rounds=25)
        limit = {"its matrix products alone": products(device)}
        yield Case(f"limit of the step, {device}", ours, limit, rounds=25)


if __name__ == "__main__":
    report("decoder_step", "Training steps of a decoder", cases())
