"""Build what all decoder layers read: keys and values of one normalized memory."""

import numpy as np
import torch
from torch.nn import functional

from headway.tasks.chapters.translator.drawn import draw_tensor, near
from headway.tasks.chapters.translator.mistakes import ANOTHER_FORM, SOME_SIZES
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def memory_keys_values(states, gain, bias, W_k, W_v):
    """K_n = memory W_k[n] and V_n = memory W_v[n], of one memory = LayerNorm(last state)."""
    x = states[-1]
    variance, mean = torch.var_mean(x, -1, correction=0, keepdim=True)
    memory = (x - mean) / torch.sqrt(variance + 1e-5) * gain + bias
    return memory @ W_k[:, None], memory @ W_v[:, None]


def memory_cases(rng: np.random.Generator) -> list[Case]:
    def draw(L, N, B=2, S=3, C=5, D=2, plain=False, spread=1.0):
        states = (draw_tensor(rng, L + 1, B, S, C) * 2 + 0.5) * spread
        gain = torch.ones(C) if plain else draw_tensor(rng, C) + 2
        bias = torch.zeros(C) if plain else draw_tensor(rng, C) + 1
        return states, gain, bias, draw_tensor(rng, N, C, D), draw_tensor(rng, N, C, D)

    return [
        Case("as many layers as the encoder has", *draw(3, 3), core=True),
        Case("fewer layers than the encoder has", *draw(4, 2), core=True),
        Case("more layers than the encoder has", *draw(2, 4)),
        Case("a single layer", *draw(2, 1)),
        Case("a norm with gain one and bias zero", *draw(2, 2, plain=True)),
        Case("a single source token", *draw(2, 2, B=1, S=1)),
        Case("an encoder without blocks", *draw(0, 2)),
        Case("tokens whose numbers hardly differ", *draw(2, 3, spread=0.0005)),
    ]


(own_blocks,) = changed(memory_keys_values, "states[-1]", "states[1 : len(W_k) + 1]")


def zipped(states, gain, bias, W_k, W_v):
    """States and layers side by side, as far as both go."""
    n = min(len(states), len(W_k))
    return own_states(states[:n], gain, bias, W_k[:n], W_v[:n])


def own_states(states, gain, bias, W_k, W_v):
    """Layer n reads state n."""
    memories = functional.layer_norm(states, gain.shape, gain, bias)
    return tuple(torch.stack([memories[n] @ W[n] for n in range(len(W))]) for W in (W_k, W_v))


def fits(got, case, offset, *vectors) -> bool:
    """Whether all keys and values are of one memory: the offset and some of each of the vectors.

    Args:
        offset: (C,).
        *vectors: (B, S, C) or broadcastable, which each token has a number of its own of.
    """
    states, _, _, *W = case.inputs
    N, C, D = W[0].shape
    B, S = states.shape[1:3]
    W = torch.cat(W).mT.reshape(-1, C).double()  # (2ND, C)
    given = torch.tensor(np.concatenate(got)).double()
    given = given.reshape(2 * N, B, S, D).permute(1, 2, 0, 3).reshape(B, S, -1, 1)
    given = given - (W @ offset.double())[:, None]
    parts = torch.stack([vector.expand(B, S, C) for vector in vectors], -1)
    parts = W @ parts.double()
    left = given - parts @ (torch.linalg.pinv(parts) @ given)
    return bool(left.abs().max() < 1e-3 * given.abs().max())


def of_one_memory(got, expected, case) -> bool:
    C = case.inputs[0].shape[-1]
    return fits(got, case, torch.zeros(C), *torch.eye(C))


def of_another_norm(got, expected, case) -> bool:
    """Whether each token of the last state is shifted and scaled by numbers of its own."""
    states, gain, bias, *W = case.inputs
    x, one, zero = states[-1], torch.ones(len(gain)), torch.zeros(len(gain))
    forms = (gain, bias), (gain, zero), (one, zero), (one, bias), (gain + bias, zero), (bias, gain)
    raw = all(near(part, x @ w[:, None]) for part, w in zip(got, W, strict=True))
    return not raw and any(fits(got, case, b, x * g, g) for g, b in forms)


def in_other_places(got, expected, case) -> bool:
    mine, right = (np.sort(np.concatenate([part.ravel() for part in x])) for x in (got, expected))
    return near(mine, right)


memory_task = Task(
    id="13-translator/memory",
    title="One memory for all layers",
    kind="build",
    points=1,
    minutes=12,
    answer="memory_keys_values",
    cases=memory_cases,
    reference=memory_keys_values,
    misconceptions=(
        SOME_SIZES.by(only_at=("a single layer", "a single source token")),
        Misconception(
            "one-projection-for-all-layers",
            lambda states, gain, bias, W_k, W_v: memory_keys_values(
                states, gain, bias, W_k[:1].expand_as(W_k), W_v[:1].expand_as(W_v)
            ),
            "All your layers have the keys of one. The memory is the same for all: are the "
            "matrices?",
            shows=lambda got, expected, case: (
                len(got[0]) > 1 and all(near(key, got[0][0]) for key in got[0])
            ),
        ),
        ANOTHER_FORM.by(
            lambda states, gain, bias, W_k, W_v: memory_keys_values(states, gain, bias, W_v, W_k),
            shows=in_other_places,
        ),
        Misconception(
            "norm-formula-wrong",
            changed(memory_keys_values, "(x, -1,", "(x, 1,", "(x, 0,"),
            "Your norm differs from layer norm in at least one part. Take one word's vector and "
            "go through the formula: which step is yours alone?",
            shows=of_another_norm,
            only_at=("a norm with gain one and bias zero", "tokens whose numbers hardly differ"),
        ),
        Misconception(
            "not-the-output-of-the-encoder",
            changed(memory_keys_values, "states[-1]", "states[-2]"),
            "All your layers read one memory, but it isn't the output of a pre-norm encoder. What "
            "has a word gone through by the time it is handed over?",
            shows=of_one_memory,
            only_at=("an encoder without blocks",),
        ),
        Misconception(
            "a-memory-for-each-layer",
            any_of(own_blocks, own_states, zipped),
            "Your keys and values can't all be of one memory, by the matrices of their layers. How "
            "many does an encoder hand over, and where do its numbers go when a shape changes?",
            shows=lambda got, expected, case: not of_one_memory(got, expected, case),
            only_at=("more layers than the encoder has",),
        ),
    ),
    compare=close(atol=1e-3, rtol=1e-3),
)
