"""Build what all decoder layers read: keys and values of one normalized memory."""

import numpy as np
import torch
from torch.nn import functional

from headway.tasks.chapters.translator.drawn import draw_tensor
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task


def memory_keys_values(states, gain, bias, W_k, W_v):
    """K_n = memory W_k[n] and V_n = memory W_v[n], with memory = LayerNorm(states[-1])."""
    return project([normalize(states[-1], gain, bias)] * len(W_k), W_k, W_v)


def normalize(x, gain, bias):
    return functional.layer_norm(x, x.shape[-1:], gain, bias, 1e-5)


def project(memories, W_k, W_v):
    """Keys and values (N, B, S, D) of a memory (B, S, C) for each layer."""
    return tuple(
        torch.stack([memory @ one for memory, one in zip(memories, W, strict=True)])
        for W in (W_k, W_v)
    )


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


def _memories(choose):
    """Other memories: choose(states, normalize) gives one for each layer n."""

    def keys_values(states, gain, bias, W_k, W_v):
        memories = [choose(states, lambda x: normalize(x, gain, bias), n) for n in range(len(W_k))]
        return project(memories, W_k, W_v)

    return keys_values


def _normalized(by, axis=-1, correction=0):
    """Another norm: x less its mean over `axis`, divided by by(variance)."""

    def keys_values(states, gain, bias, W_k, W_v):
        x = states[-1]
        variance = x.var(axis, keepdim=True, correction=correction)
        memory = (x - x.mean(axis, keepdim=True)) / by(variance) * gain + bias
        return project([memory] * len(W_k), W_k, W_v)

    return keys_values


def _root(variance):
    return (variance + 1e-5).sqrt()


def _zipped(first):
    """Layers beside states from the first one named on, as far as both go."""

    def keys_values(states, gain, bias, W_k, W_v):
        memories = normalize(states[first:], gain, bias)
        n = min(len(memories), len(W_k))
        return project(memories[:n], W_k[:n], W_v[:n])

    return keys_values


def _in_pairs(states, gain, bias, W_k, W_v):
    """States and matrices multiplied as stacks: one state is spread over all matrices."""
    memories = normalize(states[1:], gain, bias)
    return memories @ W_k[:, None], memories @ W_v[:, None]


def _gain_and_bias_left_out(states, gain, bias, W_k, W_v):
    return memory_keys_values(states, None, None, W_k, W_v)


memory_task = Task(
    id="13-translator/memory",
    title="One memory for all layers",
    kind="build",
    points=1,
    minutes=10,
    answer="memory_keys_values",
    cases=memory_cases,
    reference=memory_keys_values,
    misconceptions=(
        Misconception(
            "layer-i-attends-encoder-layer-i",
            _memories(lambda states, norm, n: norm(states[n + 1])),
            "Each of your layers reads another block of the encoder: the first the first, the "
            "second the second. What if the two stacks have different depths? Which states have "
            "seen most?",
        ),
        Misconception(
            "layers-zipped",
            _zipped(1),
            "Each of your layers reads another block of the encoder, and where one stack is deeper "
            "than the other, layers are left out. How many layers need keys, and which states have "
            "seen most?",
        ),
        Misconception(
            "layers-zipped-from-the-embeddings",
            _zipped(0),
            "Your first layer reads the embeddings and each one after it another block, as far as "
            "there are states. How many memories does an encoder hand over?",
        ),
        Misconception(
            "layers-multiplied-in-pairs",
            _in_pairs,
            "All states but the first are multiplied by the matrices, one with one. What if the "
            "two stacks have different depths? How many of the states are the memory?",
        ),
        Misconception(
            "layer-i-attends-block-i-not-normalized",
            _memories(lambda states, norm, n: states[n + 1]),
            "Each of your layers reads another block of the encoder, as the block returns it. "
            "Which states have seen most, and what stands behind the last block?",
        ),
        Misconception(
            "depth-of-the-wrong-stack",
            lambda states, gain, bias, W_k, W_v: project(
                [normalize(states[len(W_k)], gain, bias)] * len(W_k), W_k, W_v
            ),
            "Right where the decoder has as many layers as the encoder. You count the encoder's "
            "blocks by the decoder's matrices. Which argument knows how many blocks there are?",
        ),
        Misconception(
            "last-but-one-read",
            _memories(lambda states, norm, n: norm(states[max(len(states) - 2, 0)])),
            "All your layers read the input of the last block and not its result. At which place "
            "of L + 1 states does the last one stand?",
        ),
        Misconception(
            "layer-i-attends-state-i",
            _memories(lambda states, norm, n: norm(states[n])),
            "Your first layer reads the embeddings and each one after it another block. How many "
            "memories does an encoder hand over?",
        ),
        Misconception(
            "memory-not-normalized",
            _memories(lambda states, norm, n: states[-1]),
            "You read what the last block returns. Pre-norm blocks never normalize what they pass "
            "on. What stands behind the last one?",
        ),
        Misconception(
            "embeddings-read",
            _memories(lambda states, norm, n: norm(states[0])),
            "You read the embeddings, before any block: no source word has seen another. Which of "
            "the states is the memory?",
        ),
        Misconception(
            "first-block-read",
            _memories(lambda states, norm, n: norm(states[min(1, len(states) - 1)])),
            "All your layers read what the first block returns. How many blocks come after it?",
        ),
        Misconception(
            "states-averaged",
            _memories(lambda states, norm, n: norm(states.mean(0))),
            "You read the mean of all states, or the sum, which the norm makes the same. Which of "
            "them is handed over?",
        ),
        Misconception(
            "normalized-again-for-each-layer",
            _memories(lambda states, norm, n: _times(norm, n + 1)(states[-1])),
            "The first layer is right. Each further one reads a memory that was normalized once "
            "more. How many memories are there?",
        ),
        Misconception(
            "one-projection-for-all",
            lambda states, gain, bias, W_k, W_v: memory_keys_values(
                states, gain, bias, W_k[:1].expand_as(W_k), W_v[:1].expand_as(W_v)
            ),
            "All your layers have the keys of the first. The memory is the same for all: are the "
            "matrices?",
        ),
        Misconception(
            "keys-and-values-swapped",
            lambda states, gain, bias, W_k, W_v: memory_keys_values(states, gain, bias, W_v, W_k),
            "Both are right, in the other order. Which does the function return first?",
        ),
        Misconception(
            "gain-and-bias-forgotten",
            _gain_and_bias_left_out,
            "Right where the gain is one and the bias zero. What does a norm do after dividing?",
        ),
        Misconception(
            "bias-forgotten",
            lambda states, gain, bias, W_k, W_v: memory_keys_values(states, gain, None, W_k, W_v),
            "Right where the bias is zero. What does a norm do after it has multiplied?",
        ),
        Misconception(
            "unbiased-variance",
            _normalized(_root, correction=1),
            "Your numbers are a little too small. By how many does the variance of a layer norm "
            "divide?",
        ),
        Misconception(
            "normalized-over-the-words",
            _normalized(_root, axis=1),
            "You took mean and variance over the words of a sentence. Over which axis does each "
            "word have its own?",
        ),
        Misconception(
            "normalized-over-the-sentence",
            _normalized(_root, axis=(1, 2)),
            "You took mean and variance over all numbers of a sentence. Over which axis does each "
            "word have its own?",
        ),
        Misconception(
            "epsilon-forgotten",
            _normalized(lambda variance: variance.sqrt()),
            "Right where the numbers of a word differ much. What if they are nearly the same: by "
            "what do you divide then?",
        ),
        Misconception(
            "epsilon-outside-the-root",
            _normalized(lambda variance: variance.sqrt() + 1e-5),
            "Right where the numbers of a word differ much. You add to the root of the variance. "
            "To what does the text add?",
        ),
    ),
    compare=close(atol=1e-3, rtol=1e-3),
)


def _times(norm, n):
    def again(x):
        for _ in range(n):
            x = norm(x)
        return x

    return again
