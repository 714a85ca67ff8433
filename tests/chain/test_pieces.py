"""The chain of equivalences, part II: what the pieces of chapters 5 to 10 equal."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor, nn

from headway.models.by_hand import joined, pair_block
from headway.ngram.soft_lookup import SoftLookup, pad_features
from headway.nn.attention import attend
from headway.nn.embedding import Embedding
from headway.nn.masks import causal_mask
from headway.nn.multihead import MultiHeadAttention
from headway.nn.position import PAIRS, RotaryPosition, frequencies
from headway.nn.word_vectors import SkipGram, pairs
from headway.text.byte_letters import LETTERS, to_letters
from headway.text.byte_pair import BYTES, BytePairTokenizer
from headway.text.vocabulary import Vocabulary, one_hot
from tests.chain.convergence import commands, errors_while_training, falls, with_boundaries
from tests.chain.votes import (
    ALL_MASKED,
    MASK,
    MODEL,
    ONE_UNMASKED,
    SENTENCES,
    V,
    masked_vote,
    mean_vote,
)

VOTES = torch.from_numpy(MODEL.votes())
close = {"atol": 1e-12, "rtol": 1e-12}  # rounding, in double precision


def normal(*shape: int, seed: int = 0) -> Tensor:
    draw = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=draw, dtype=torch.float64)


def attention(*sizes, seed: int = 0, **named) -> MultiHeadAttention:
    """Weights and biases in double precision, large enough for weights far from uniform."""
    module = MultiHeadAttention(*sizes, **named).double().requires_grad_(False)
    draw = torch.Generator().manual_seed(seed)
    for parameter in module.parameters():
        parameter.normal_(std=0.5, generator=draw)
    return module


@given(st.text())
def test_05_a_tokenizer_with_no_merges_is_a_vocabulary_over_bytes(text):
    tokenizer, words = BytePairTokenizer(BYTES), Vocabulary(LETTERS.values(), specials=())
    letters = list(to_letters(text.encode()))
    assert tokenizer.encode(text) == words.encode(letters).tolist()
    assert tokenizer.decode(words.encode(letters)) == text


@given(st.lists(st.integers(0, V - 1), min_size=1, max_size=6))
def test_06_an_embedding_is_the_one_hot_product(ids):
    embedding = Embedding(V, 7, torch.Generator().manual_seed(0)).requires_grad_(False)
    found = embedding(torch.tensor(ids))
    assert np.array_equal(found.numpy(), one_hot(ids, V) @ embedding.weight.numpy())


def test_06_a_skip_gram_of_full_rank_with_the_next_word_as_window_learns_the_transition_matrix():
    sentences, chain = commands()
    size, P = chain.size + 1, chain.transition_matrix()
    bigrams = pairs(with_boundaries(sentences, chain.boundary), left=0, right=1)
    full, narrow = (
        errors_while_training(
            SkipGram(size, width, torch.Generator().manual_seed(0)), *bigrams, P, (10, 30, 100, 300)
        )
        for width in (size, 1)
    )
    assert falls(full)
    assert 0 < full[-1] < 0.002  # where P is zero only the limit is
    assert narrow[-1] > 0.5  # of rank 1 it cannot


@pytest.mark.parametrize("pairs", PAIRS)
def test_07_rotary_positions_at_frequency_zero_are_none(pairs):
    rotary = RotaryPosition(9, torch.zeros(3), pairs)
    with_it, without = (attention(12, 2, rotary=each) for each in (rotary, None))
    x = normal(2, 9, 12)
    assert with_it(x, causal=True).equal(without(x, causal=True))


@pytest.mark.parametrize("pairs", PAIRS)
def test_07_without_positions_attention_is_as_blind_to_distance_as_skip_bigrams(pairs):
    rng, vectors = np.random.default_rng(0), normal(V, 12)
    for speeds, blind in ((torch.zeros(3), True), (frequencies(6), False)):
        module = attention(12, 2, rotary=RotaryPosition(20, speeds, pairs))
        for sentence in SENTENCES:
            moved = np.append(rng.permutation(sentence[:-1]), sentence[-1])
            assert np.array_equal(MODEL.predict(moved), MODEL.predict(sentence))
            before, after = (module(vectors[text][None])[0, -1] for text in (sentence, moved))
            assert torch.allclose(before, after, **close) == blind


@pytest.mark.parametrize("pairs", PAIRS)
def test_07_a_rotary_score_of_fixed_contents_is_a_function_of_the_distance(pairs):
    N = 12
    rotary = RotaryPosition(N, frequencies(8), pairs)
    query, key = (rotary(normal(8, seed=seed).expand(N, 8)) for seed in (0, 1))
    scores = query @ key.T
    for distance in range(1 - N, N):
        here = scores.diagonal(distance)
        torch.testing.assert_close(here, here[:1].expand_as(here), atol=1e-5, rtol=0)
    assert scores[0].std() > 0.1


def earlier_words(prefix: np.ndarray) -> tuple[Tensor, Tensor]:
    """One-hot keys (N, V), and the vote of each with the latest word as values (N, V+1)."""
    features = MODEL.features(prefix)
    return torch.from_numpy(one_hot(MODEL.pairs[features, 0], V)), VOTES[features]


def test_08_attention_with_one_unmasked_feature_and_a_large_scale_is_the_masked_vote():
    stacked = torch.zeros(V, V, dtype=torch.float64)  # row: latest word; column: earlier word
    earlier, latest = MODEL.pairs[MASK].T
    stacked[latest, earlier] = 1.0
    errors = []
    for scale in (0, 6, 24, 96, 1e5):
        differences = [
            attend(scale * stacked[prefix[-1:]], *earlier_words(prefix))[0][0]
            - torch.from_numpy(masked_vote(prefix))
            for prefix in ONE_UNMASKED
        ]
        errors.append(torch.stack(differences).abs().max().item())
    assert falls(errors)
    assert errors[0] > 0.1
    assert errors[-1] == 0  # exp(−10⁴) is


def test_08_attention_with_uniform_weights_is_the_mean_vote():
    for prefix in ONE_UNMASKED + ALL_MASKED:
        key, value = earlier_words(prefix)
        mixed, weights = attend(torch.zeros(1, V, dtype=torch.float64), key, value)
        torch.testing.assert_close(mixed[0], torch.from_numpy(mean_vote(prefix)), **close)
        torch.testing.assert_close(weights, torch.full_like(weights, 1 / len(key)), **close)


@pytest.mark.parametrize("causal", [False, True])
def test_09_one_head_with_an_identity_at_the_end_is_attention(causal):
    module = attention(8, 1)
    nn.init.eye_(module.output.weight)
    nn.init.zeros_(module.output.bias)
    x, memory = normal(2, 5, 8), normal(2, 7, 8, seed=1)
    thirds = zip(module.qkv.weight.chunk(3), module.qkv.bias.chunk(3), strict=True)
    (W_Q, b_Q), (W_K, b_K), (W_V, b_V) = thirds
    mask = causal_mask(5, 7) if causal else None
    mixed, weights = attend(x @ W_Q.T + b_Q, memory @ W_K.T + b_K, memory @ W_V.T + b_V, mask)
    output, of_heads = module.with_weights(x, memory, causal=causal)
    torch.testing.assert_close(module(x, memory, causal=causal), mixed, **close)
    torch.testing.assert_close(output, mixed, **close)
    torch.testing.assert_close(of_heads[:, 0], weights, **close)


def test_09_heads_with_block_diagonal_weights_are_independent_attentions():
    H, D = 3, 4
    alone = [attention(D, 1, seed=h) for h in range(H)]
    together = joined(alone)
    x = normal(2, 6, H * D)
    parts = [module(part, causal=True) for module, part in zip(alone, x.split(D, -1), strict=True)]
    torch.testing.assert_close(together(x, causal=True), torch.cat(parts, dim=-1), **close)


def test_10_a_block_by_hand_without_norms_and_skips_is_the_soft_lookup_at_every_position():
    scores = normal(len(MODEL))
    block = pair_block(MODEL, scores)
    lookup = SoftLookup(VOTES, scores)
    for sentence in SENTENCES:
        T = len(sentence)
        x = torch.from_numpy(one_hot(sentence, 2 * V))[None]  # (1, T, 2V)
        mask = torch.stack([causal_mask(T).tril(-1), torch.eye(T).bool()])  # (H, T, T)
        expected, _ = lookup(*pad_features(MODEL, [sentence[: t + 1] for t in range(T)]))
        output = block(x, mask=mask)[0]
        torch.testing.assert_close(output[:, : V + 1], expected, **close)
        assert not output[:, V + 1 :].any()
