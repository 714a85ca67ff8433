"""Positions, embeddings, losses and word vectors beside the libraries'.

    python benchmarks/pieces.py

A ratio above 1 means that `headway` is slower. Forward and backward together where gradients are
meant; the rows of counting are numpy against plain Python and torch's randomized SVD.
"""

from collections import Counter
from collections.abc import Iterator

import numpy as np
import torch
from measure import Case, report
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
        Case(
            "rotary, queries and keys",
            trained(lambda: rotary(query) + rotary(query)),
            {
                "Llama, Hugging Face": trained(
                    lambda: sum(apply_rotary_pos_emb(query, query, cos, sin))
                )
            },
        ),
        Case(
            "learned positions",
            trained(lambda: learned(x)),
            {"x + nn.Embedding(arange)": trained(lambda: x + places(torch.arange(T)))},
        ),
        Case(
            "relative bias",
            trained(lambda: bias(T, T)),
            {"T5, Hugging Face": trained(lambda: t5.compute_bias(T, T))},
        ),
    ]


def embeddings(generator):
    ids = torch.randint(8_000, (16, 128), generator=generator)
    ours, theirs = Embedding(8_000, 128, generator), nn.Embedding(8_000, 128)
    logits = torch.randn(16, 128, 512, generator=generator).requires_grad_()
    targets = torch.randint(512, (16, 128), generator=generator)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    return [
        Case(
            "embedding lookup",
            trained(lambda: ours(ids)),
            {"nn.Embedding": trained(lambda: theirs(ids))},
        ),
        Case(
            "smoothed cross-entropy",
            trained(lambda: cross_entropy(logits, targets, 0.1)),
            {
                "nn.CrossEntropyLoss": trained(
                    lambda: criterion(logits.view(-1, 512), targets.view(-1))
                )
            },
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

    return [Case("negative sampling step", trained(ours), {"plain torch": trained(theirs)})]


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
        Case("co-occurrences", lambda: co_occurrences(sentences, V, 2, 2), {"Counter": counter}),
        Case("LSA, rank 50", lambda: lsa(table, 50), {"torch svd_lowrank": randomized}),
    ]


def cases() -> Iterator[Case]:
    """All of them, drawn from one generator."""
    generator = torch.Generator().manual_seed(0)
    for group in (positions, embeddings, word_vectors):
        yield from group(generator)
    yield from counting()


if __name__ == "__main__":
    report("pieces", "Positions, embeddings, losses, word vectors", cases())
