"""Build what all decoder layers read: keys and values of one normalized memory."""

import numpy as np
import torch
from torch.nn import functional

from headway.tasks.chapters.translator.drawn import draw_tensor
from headway.tasks.chapters.translator.mistakes import ANOTHER_FORM
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


NORM = "(x - mean) / torch.sqrt(variance + 1e-5) * gain + bias"
ROOT = "torch.sqrt(variance + 1e-5)"
OTHER_ROOTS = "torch.sqrt(variance)", "(torch.sqrt(variance) + 1e-5)"
(sample_variance,) = changed(memory_keys_values, "correction=0", "correction=1")
(own_blocks,) = changed(memory_keys_values, "states[-1]", "states[1 : len(W_k) + 1]")


def zipped(states, gain, bias, W_k, W_v):
    """States and layers side by side, as far as both go."""
    n = min(len(states), len(W_k))
    return own_states(states[:n], gain, bias, W_k[:n], W_v[:n])


def own_states(states, gain, bias, W_k, W_v):
    """Layer n reads state n."""
    memories = functional.layer_norm(states, gain.shape, gain, bias)
    return tuple(torch.stack([memories[n] @ W[n] for n in range(len(W))]) for W in (W_k, W_v))


def states_from_the_end(states, gain, bias, W_k, W_v):
    """The last layer reads the last state, the one before it the one before."""
    places = [max(len(states) - len(W_k) + n, 0) for n in range(len(W_k))]
    return own_states(states[places], gain, bias, W_k, W_v)


def states_as_far_as_they_go(states, gain, bias, W_k, W_v):
    places = [min(n + 1, len(states) - 1) for n in range(len(W_k))]
    return own_states(states[places], gain, bias, W_k, W_v)


def normalized_again(states, gain, bias, W_k, W_v):
    """Each layer normalizes what the one before it has normalized."""
    memories = [states[-1]]
    for _ in W_k:
        memories.append(functional.layer_norm(memories[-1], gain.shape, gain, bias))
    return torch.stack(memories[1:]) @ W_k[:, None], torch.stack(memories[1:]) @ W_v[:, None]


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
        Misconception(
            "a-memory-for-each-layer",
            any_of(
                own_blocks,
                changed(own_blocks, NORM, "x"),
                changed(memory_keys_values, "states[-1]", "states[1:]"),
                own_states,
                zipped,
                lambda states, *rest: zipped(states[1:], *rest),
                states_from_the_end,
                # The same, but that it raises where there are more layers than states, or has less.
                lambda states, *rest: own_states(states[-len(rest[2]) :], *rest),
                lambda states, *rest: zipped(states[-len(rest[2]) :], *rest),
                changed(memory_keys_values, "states[-1]", "states[-len(W_k) :]"),
                states_as_far_as_they_go,
                normalized_again,
            ),
            "Your layers read different memories: other states, or one that has been normalized "
            "more often. How many memories does an encoder hand over?",
        ),
        Misconception(
            "not-the-output-of-the-encoder",
            any_of(
                changed(
                    memory_keys_values,
                    "states[-1]",
                    "states[0]",
                    "states[min(1, len(states) - 1)]",
                    "states[max(len(states) - 2, 0)]",
                    "states[-2]",
                    "states[len(W_k)]",
                    "states.mean(0)",
                ),
                changed(memory_keys_values, NORM, "x"),
            ),
            "All your layers read one memory, but it isn't the output of a pre-norm encoder. What "
            "has a word gone through by the time it is handed over?",
        ),
        Misconception(
            "one-projection-for-all-layers",
            lambda states, gain, bias, W_k, W_v: memory_keys_values(
                states, gain, bias, W_k[:1].expand_as(W_k), W_v[:1].expand_as(W_v)
            ),
            "All your layers have the keys of the first. The memory is the same for all: are the "
            "matrices?",
        ),
        ANOTHER_FORM.by(
            lambda states, gain, bias, W_k, W_v: memory_keys_values(states, gain, bias, W_v, W_k)
        ),
        Misconception(
            "norm-formula-wrong",
            any_of(
                changed(memory_keys_values, "(x, -1,", "(x, 1,", "(x, (1, 2),", "(x, 0,"),
                changed(memory_keys_values, NORM, NORM[: -len(" * gain + bias")]),
                changed(memory_keys_values, " + bias", ""),
                changed(memory_keys_values, "* gain + bias", "* (gain + bias)", "* bias + gain"),
                sample_variance,
                changed(memory_keys_values, ROOT, *OTHER_ROOTS, "(variance + 1e-5)"),
                changed(memory_keys_values, "(x - mean)", "x"),
                changed(
                    memory_keys_values,
                    NORM,
                    "x / (x * x).mean(-1, keepdim=True).add(1e-5).sqrt() * gain",
                ),
                changed(sample_variance, ROOT, *OTHER_ROOTS),
            ),
            "Your norm differs from layer norm in at least one part. Take one word's vector and "
            "go through the formula: which step is yours alone?",
        ),
    ),
    compare=close(atol=1e-3, rtol=1e-3),
)
