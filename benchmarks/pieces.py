"""Positions, embeddings, losses and word vectors beside the libraries': ratios of median times.

    python benchmarks/pieces.py

A ratio above 1 means that `headway` is slower. The two sides of a row run alternately, so that what
disturbs the machine disturbs both. Forward and backward together where gradients are meant; the
rows of counting are numpy against plain Python and torch's randomized SVD.
"""

import json
import statistics
import timeit
from collections import Counter
from pathlib import Path

import numpy as np
import torch
from rich.console import Console
from rich.table import Table
from torch import nn
from torch.nn import functional
from transformers.models.llama.configuration_llama import LlamaConfig
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding, apply_rotary_pos_emb
from transformers.models.t5.configuration_t5 import T5Config
from transformers.models.t5.modeling_t5 import T5Attention

from headway.nn.embedding import Embedding
from headway.nn.position import LearnedPosition, RelativeBias, RotaryPosition, frequencies
from headway.nn.word_vectors import SkipGram, draw_negatives, negative_sampling_loss
from headway.text.counts import co_occurrences, lsa
from headway.training.loss import cross_entropy

ROUNDS = 15
OUT = Path(__file__).parent / "out" / "pieces.json"


def ratio(ours, theirs, number: int) -> tuple[float, float, float]:
    """Median seconds of ours and of theirs, and the median of the ratios round by round."""
    ours(), theirs()
    timed = [
        (timeit.timeit(ours, number=number) / number, timeit.timeit(theirs, number=number) / number)
        for _ in range(ROUNDS)
    ]
    mine, other = (statistics.median(side) for side in zip(*timed, strict=True))
    return mine, other, statistics.median(a / b for a, b in timed)


def trained(make):
    """Forward and backward of a function that gives a tensor."""
    return lambda: make().sum().backward()


def positions(generator):
    B, H, T, D = 16, 4, 128, 32
    query = torch.randn(B, T, H, D, generator=generator).transpose(1, 2).requires_grad_()
    rotary = RotaryPosition(T, frequencies(D))
    llama = LlamaRotaryEmbedding(LlamaConfig(hidden_size=H * D, num_attention_heads=H))
    cos, sin = llama(query, torch.arange(T)[None])
    x = torch.randn(B, T, H * D, generator=generator).requires_grad_()
    learned, places = LearnedPosition(T, H * D, generator), nn.Embedding(T, H * D)
    bias = RelativeBias(H, 64)
    t5 = T5Attention(T5Config(num_heads=H), has_relative_attention_bias=True, layer_idx=0)
    return [
        (
            "rotary, queries and keys",
            "Llama, Hugging Face",
            trained(lambda: rotary(query) + rotary(query)),
            trained(lambda: sum(apply_rotary_pos_emb(query, query, cos, sin))),
            5,
        ),
        (
            "learned positions",
            "x + nn.Embedding(arange)",
            trained(lambda: learned(x)),
            trained(lambda: x + places(torch.arange(T))),
            10,
        ),
        (
            "relative bias",
            "T5, Hugging Face",
            trained(lambda: bias(T, T)),
            trained(lambda: t5.compute_bias(T, T)),
            10,
        ),
    ]


def embeddings(generator):
    ids = torch.randint(8_000, (16, 128), generator=generator)
    ours, theirs = Embedding(8_000, 128, generator), nn.Embedding(8_000, 128)
    logits = torch.randn(16, 128, 512, generator=generator).requires_grad_()
    targets = torch.randint(512, (16, 128), generator=generator)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    return [
        (
            "embedding lookup",
            "nn.Embedding",
            trained(lambda: ours(ids)),
            trained(lambda: theirs(ids)),
            5,
        ),
        (
            "smoothed cross-entropy",
            "nn.CrossEntropyLoss",
            trained(lambda: cross_entropy(logits, targets, 0.1)),
            trained(lambda: criterion(logits.view(-1, 512), targets.view(-1))),
            5,
        ),
    ]


def word_vectors(generator):
    V, C, B, K = 10_000, 100, 1_024, 5
    model, noise = SkipGram(V, C, generator), torch.full((V,), 1 / V)
    given, guessed = nn.Embedding(V, C), nn.Embedding(V, C)
    centers, contexts = torch.randint(V, (2, B), generator=generator)

    def ours():
        negatives = draw_negatives(noise, contexts, K, generator)
        return negative_sampling_loss(
            model.hidden(centers), model.guessed.weight, contexts, negatives
        )

    def theirs():  # the usual way: binary cross-entropy over one true and K drawn words
        negatives = torch.multinomial(noise, B * K, replacement=True).view(B, K)
        words = torch.cat((contexts[:, None], negatives), dim=1)
        scores = torch.einsum("bkc,bc->bk", guessed(words), given(centers))
        labels = torch.zeros(B, 1 + K)
        labels[:, 0] = 1
        return functional.binary_cross_entropy_with_logits(scores, labels, reduction="sum") / B

    return [("negative sampling step", "plain torch", trained(ours), trained(theirs), 3)]


def counting():
    rng = np.random.default_rng(0)
    V = 600
    sentences = [rng.integers(V, size=20) for _ in range(2_000)]
    lists = [sentence.tolist() for sentence in sentences]
    table = rng.poisson(0.3, size=(V, V))

    def counter():
        counts = Counter()
        for sentence in lists:
            for i, center in enumerate(sentence):
                for context in sentence[max(0, i - 2) : i] + sentence[i + 1 : i + 3]:
                    counts[center, context] += 1
        return counts

    def randomized():
        return torch.svd_lowrank(torch.from_numpy(np.log1p(table)), q=60, niter=5)

    return [
        ("co-occurrences", "Counter", lambda: co_occurrences(sentences, V, 2, 2), counter, 1),
        ("LSA, rank 50", "torch svd_lowrank", lambda: lsa(table, 50), randomized, 1),
    ]


def main() -> None:
    torch.set_num_threads(2)
    generator = torch.Generator().manual_seed(0)
    groups = positions(generator), embeddings(generator), word_vectors(generator), counting()
    table = Table(title="headway beside its peers")
    for name in ("what", "peer"):
        table.add_column(name)
    for name in ("headway, µs", "peer, µs", "ratio"):
        table.add_column(name, justify="right")
    rows = []
    for what, peer, ours, theirs, number in (row for group in groups for row in group):
        mine, other, relative = ratio(ours, theirs, number)
        table.add_row(what, peer, f"{mine * 1e6:,.0f}", f"{other * 1e6:,.0f}", f"{relative:.2f}")
        rows.append(
            {"name": what, "peer": peer, "ours": mine, "best_peer": other, "ratio": relative}
            | {"target": None}  # reported, not held to one
        )
    Console(width=110).print(table)
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
