"""The chain of equivalences, part III: what the machines of chapters 11 to 16 equal."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn
from transformers import GPT2Config, GPT2LMHeadModel

from headway.inference.beam import beam_search
from headway.inference.cached_translator import CachedTranslator
from headway.inference.decoding import Sampling, generate
from headway.inference.fused import FusedLanguageModel
from headway.inference.kv_cache import CachedLanguageModel
from headway.inference.predictor import ChainPredictor, Uncached
from headway.models.by_hand import load_same_names
from headway.models.graph import attend_edges, edges_of
from headway.models.hugging_face.gpt2 import load_gpt2
from headway.models.language_model import LanguageModel, LanguageModelConfig
from headway.models.masked_model import MaskedModel, MaskedModelConfig
from headway.models.parts import POSITIONS
from headway.models.translator import Translator, TranslatorConfig
from headway.nn.attention import attend
from headway.nn.interchange import load_from_torch
from headway.nn.masks import causal_mask
from headway.nn.multihead import MultiHeadAttention, merge_heads
from tests.chain.convergence import commands, errors_while_training, falls, with_boundaries
from tests.models.weights import random_ids, redrawn

V, N = 13, 12
SIZES = {"vocabulary": V, "context": N, "width": 16, "heads": 4, "layers": 2, "hidden": 24}
IDS, SOURCE = random_ids(V, 3, N), random_ids(V, 3, 7, seed=1)
X, MEMORY = torch.randn(3, N + 7, 16, generator=torch.Generator().manual_seed(2)).split((N, 7), 1)
SOURCE_MASK = torch.tensor([7, 3, 1])[:, None, None, None] > torch.arange(7)  # (B, 1, 1, S)
close = {"atol": 1e-5, "rtol": 1e-4}  # rounding, in single precision
positions = pytest.mark.parametrize("position", POSITIONS)


def language_model(**changes) -> LanguageModel:
    config = LanguageModelConfig(**SIZES | changes)
    return redrawn(LanguageModel(config, torch.Generator()), std=0.4).requires_grad_(False)


def masked_model(**changes) -> MaskedModel:
    config = MaskedModelConfig(**SIZES | changes)
    return redrawn(MaskedModel(config, torch.Generator()), seed=5).requires_grad_(False)


def translator(**changes) -> Translator:
    config = TranslatorConfig(**SIZES | changes)
    return redrawn(Translator(config, torch.Generator()), std=0.4).requires_grad_(False)


def test_11_a_language_model_with_context_1_and_no_attention_learns_the_transition_matrix():
    sentences, chain = commands()
    size, P = chain.size + 1, chain.transition_matrix()
    text = [torch.from_numpy(sentence) for sentence in with_boundaries(sentences, chain.boundary)]
    inputs = torch.cat([sentence[:-1, None] for sentence in text])  # (n, 1)
    targets = torch.cat([sentence[1:, None] for sentence in text])
    wide = LanguageModelConfig(
        vocabulary=size, context=1, width=size, heads=1, layers=0, tied=False, position="none"
    )
    full, narrow = (
        errors_while_training(
            LanguageModel(config, torch.Generator().manual_seed(0)),
            *(inputs, targets, P, (10, 30, 100, 300)),
        )
        for config in (wide, replace(wide, width=2))
    )
    assert falls(full)
    assert 0 < full[-1] < 0.002  # counts of zero are reached only in the limit
    assert narrow[-1] > 0.5


@positions
def test_12_a_masked_model_is_the_language_model_with_the_mask_removed(position):
    model, alone = language_model(position=position), masked_model(position=position)
    load_same_names(alone, model)
    logits = model.embedding.unembed(alone(IDS))
    torch.testing.assert_close(logits, model(IDS, causal=False), **close)
    assert not torch.allclose(logits, model(IDS), atol=0.1)
    with_the_mask = model.embedding.unembed(alone(IDS, causal_mask(N)))
    torch.testing.assert_close(with_the_mask, model(IDS), **close)


@pytest.mark.parametrize("half", ["encoder", "decoder"])
def test_13_without_its_feed_forward_a_block_adds_what_its_heads_find(half):
    block = getattr(translator(), half).stack.blocks[0]
    for weight in block.feed_forward.contract.parameters():
        nn.init.zeros_(weight)
    if half == "decoder":
        for weight in block.cross_attention.output.parameters():
            nn.init.zeros_(weight)
    words = block.attention_residual.norm(X)
    parts = block.attention.qkv(words).chunk(3, dim=-1)  # Q, K and V of all heads, (B, T, C)
    heads = zip(*(part.chunk(SIZES["heads"], dim=-1) for part in parts), strict=True)
    mask = causal_mask(N) if half == "decoder" else None
    found = [attend(*head, mask)[0] for head in heads]
    added = block.attention.output(torch.cat(found, dim=-1))
    output = block(X, MEMORY) if half == "decoder" else block(X)
    torch.testing.assert_close(output - X, added, **close)
    assert added.abs().max() > 0.1


def test_13_cross_attention_with_its_own_words_as_memory_is_self_attention():
    cross = translator().decoder.stack.blocks[0].cross_attention
    torch.testing.assert_close(cross(X, memory=X), cross(X), **close)
    assert not torch.allclose(cross(X, memory=MEMORY), cross(X), atol=0.1)


@positions
def test_13_with_an_empty_source_the_decoder_is_the_language_model(position):
    model, alone = translator(position=position), language_model(position=position)
    for block in model.decoder.stack.blocks:
        nn.init.zeros_(block.cross_attention.output.bias)
    load_same_names(alone, model, "decoder.")
    nothing, hidden = torch.zeros(3, 0, 16), torch.zeros(3, 1, 1, 7, dtype=torch.bool)
    torch.testing.assert_close(model.decode(IDS, nothing), alone(IDS), **close)
    torch.testing.assert_close(model(SOURCE, IDS, hidden), alone(IDS), **close)
    assert not torch.allclose(model(SOURCE, IDS), alone(IDS), atol=0.1)


@positions
def test_13_the_encoder_is_the_masked_model(position):
    model, alone = translator(position=position), masked_model(position=position)
    load_same_names(alone, model, "encoder.")
    for mask in (None, SOURCE_MASK):
        torch.testing.assert_close(model.encode(SOURCE, mask), alone(SOURCE, mask), **close)


def predictors():
    """A language model's and a chain's, with the token that ends their texts."""
    chain = commands()[1]
    return [
        (lambda: Uncached(language_model()), IDS[:, :4], 5),
        (lambda: ChainPredictor(chain), torch.full((3, 1), chain.boundary), chain.boundary),
    ]


@pytest.mark.parametrize(("make", "prompt", "end"), predictors(), ids=["model", "chain"])
def test_14_one_beam_and_the_top_one_are_greedy(make, prompt, end):
    for stop in (None, end):
        greedy = generate(make(), prompt, 8, end=stop)
        beam = beam_search(make(), prompt, 8, beams=1, end=stop, length_penalty=0.0)
        top = Sampling(generator=torch.Generator().manual_seed(0), top_k=1)
        assert beam.best.equal(greedy)
        assert generate(make(), prompt, 8, top, end=stop).equal(greedy)


def test_14_sampling_from_a_chain_with_the_code_for_models_draws_its_sentences():
    chain, errors = commands()[1], []
    for count in (100, 1_600, 25_600):
        chance = Sampling(generator=torch.Generator().manual_seed(0))
        start = torch.full((count, 1), chain.boundary)
        ids = generate(ChainPredictor(chain), start, 12, chance, end=chain.boundary)[:, 1:]
        drawn, times = ids.unique(dim=0, return_counts=True)
        sentences = [row[row != chain.boundary].numpy() for row in drawn]
        P = np.exp([chain.log_likelihood([sentence]) for sentence in sentences])
        assert P.min() > 0
        # Total variation; the last term is of the sentences that were not drawn.
        errors.append((np.abs(times.numpy() / count - P).sum() + 1 - P.sum()) / 2)
    assert errors[1] < errors[0] / 2
    assert errors[2] < errors[1] / 2
    assert errors[2] < 0.01


@pytest.mark.parametrize("kind", [CachedLanguageModel, FusedLanguageModel, CachedTranslator])
@positions
@torch.inference_mode()
def test_15_cached_decoding_is_the_full_forward_pass_at_every_position(position, kind):
    if kind is CachedTranslator:
        model = translator(position=position)
        given, expected = (SOURCE, SOURCE_MASK), model(SOURCE, IDS, SOURCE_MASK)
    else:
        model = language_model(position=position)
        given, expected = (len(IDS),), model(IDS)
    for pieces in ([N], [1] * N, [5, 1, 1, 3, 2]):
        predictor = kind(model, *given)
        read = [predictor.read(piece) for piece in IDS.split(pieces, dim=1)]
        torch.testing.assert_close(model.predict(torch.cat(read, dim=1)), expected, **close)


def test_16_message_passing_on_the_complete_graph_is_attention():
    attention = redrawn(MultiHeadAttention(16, 4), std=0.4).double()
    draw = torch.Generator().manual_seed(0)
    x, memory = (torch.randn(2, T, 16, generator=draw).double() for T in (5, 7))
    complete = edges_of(torch.ones(5, 7, dtype=torch.bool))
    query, key, value = attention.project(x, memory)
    mixed, weights = attend_edges(query, key, value, complete)
    expected, expected_weights = attend(query, key, value)
    tight = {"atol": 1e-12, "rtol": 1e-12}
    torch.testing.assert_close(mixed, expected, **tight)
    torch.testing.assert_close(weights.unflatten(-1, (5, 7)), expected_weights, **tight)
    torch.testing.assert_close(attention.output(merge_heads(mixed)), attention(x, memory), **tight)


@pytest.mark.filterwarnings("ignore:enable_nested_tensor")
def test_16_the_same_weights_in_torchs_transformer_give_the_same_logits():
    shape = {"dropout": 0.0, "batch_first": True, "norm_first": True}
    theirs = redrawn(nn.Transformer(16, 4, 2, 2, 24, **shape), std=0.4)
    model = translator(activation="relu")
    load_from_torch(model.encoder.stack, theirs.encoder)
    load_from_torch(model.decoder.stack, theirs.decoder)
    padding = ~SOURCE_MASK[:, 0, 0]
    hidden = theirs(
        model.encoder.input(model.embed(SOURCE)),
        model.decoder.input(model.embed(IDS)),
        tgt_mask=theirs.generate_square_subsequent_mask(N),
        src_key_padding_mask=padding,
        memory_key_padding_mask=padding,
    )
    torch.testing.assert_close(
        model(SOURCE, IDS, SOURCE_MASK), hidden @ model.embedding.weight.T, **close
    )


@torch.inference_mode()
def test_16_the_same_weights_in_hugging_faces_gpt_2_give_the_same_logits():
    sizes = {"n_positions": N, "n_embd": 16, "n_head": 4, "n_layer": 2, "n_inner": 24}
    theirs = redrawn(GPT2LMHeadModel(GPT2Config(vocab_size=V, **sizes)), std=0.4)
    model = language_model(activation="gelu-tanh")
    load_gpt2(model, theirs.state_dict())
    logits = theirs(IDS).logits
    torch.testing.assert_close(model(IDS), logits, atol=1e-4, rtol=0)
    torch.testing.assert_close(FusedLanguageModel(model, 3).feed(IDS), logits[:, -1], **close)
