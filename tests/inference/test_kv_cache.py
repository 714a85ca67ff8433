"""The cache, read step by step and fused: always the logits of the full forward pass."""

from dataclasses import replace

import pytest
import torch

from headway.inference.decoding import generate
from headway.inference.fused import FusedLanguageModel
from headway.inference.kv_cache import CachedLanguageModel, KeyValueCache
from headway.inference.predictor import Uncached
from headway.models.language_model import LanguageModel, LanguageModelConfig, token_places
from headway.models.parts import POSITIONS
from headway.nn.masks import causal_mask
from headway.nn.norm import RMSNorm
from headway.shapes import ShapeError
from tests.models.weights import random_ids

both_kinds = pytest.mark.parametrize("kind", [CachedLanguageModel, FusedLanguageModel])
LLAMA_LIKE = {"normalization": "rms", "gated": True, "activation": "silu", "bias": False}
QWEN_LIKE = LLAMA_LIKE | {"qkv_bias": True, "head_width": 6, "head_norm": True}
NEOX_LIKE = {"parallel": True, "rotary_share": 0.5}
GEMMA_LIKE = LLAMA_LIKE | {"norm": "sandwich", "scaled": True, "score_cap": 1.5, "logit_cap": 2.0}
T = 24
SMALL = LanguageModelConfig(vocabulary=13, context=T, width=16, heads=4, layers=2, reach=3)


def make_model(**changes) -> LanguageModel:
    """A small model with weights large enough for every part to show in the logits."""
    generator = torch.Generator().manual_seed(1)
    model = LanguageModel(replace(SMALL, **changes), generator).eval()
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.3, generator=generator)
    return model


def cached_logits(predictor, ids: torch.Tensor, pieces: list[int]) -> torch.Tensor:
    """Logits at every position (B, T, V), the ids fed in pieces of these lengths."""
    read = [predictor.read(piece) for piece in ids.split(pieces, dim=1)]
    return predictor.model.predict(torch.cat(read, dim=1))


@both_kinds
@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize("window", [None, 1, 5])
@pytest.mark.parametrize("position", POSITIONS)
@torch.inference_mode()
def test_every_position_gets_the_logits_of_the_full_forward_pass(position, window, padded, kind):
    ids, starts = random_ids(13, 3, T), torch.tensor([0, 3, 6]) if padded else None
    for heads, changes in ((4, {}), (2, {"norm": "post"}), (1, LLAMA_LIKE), (2, QWEN_LIKE)):
        model = make_model(position=position, window=window, key_value_heads=heads, **changes)
        full = model(ids, starts)
        tokens = torch.ones_like(ids) if starts is None else token_places(starts, ids)
        for chunk, pieces in ((None, [T]), (None, [1] * T), (5, [7, 1, 1, 9, 6])):
            predictor = kind(model, len(ids), starts=starts, chunk=chunk)
            cached = cached_logits(predictor, ids, pieces)
            error = (cached - full).abs().amax(dim=-1) * tokens
            assert error.max() < 1e-5, (heads, changes, pieces)


@both_kinds
@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize(
    "changes",
    [
        NEOX_LIKE | {"position": "rotary"},
        NEOX_LIKE | {"position": "learned", "norm": "sandwich", "normalization": "rms"},
        GEMMA_LIKE | {"position": "relative"},
        GEMMA_LIKE | {"position": "rotary", "window": 5},
        GEMMA_LIKE
        | {"position": "rotary", "head_norm": True, "local_base": 9.0, "window": 5}
        | {"global_blocks": (1,)},
        {"position": "learned", "window": 3, "global_blocks": (0,)},
        LLAMA_LIKE | {"position": "rotary", "experts": 5, "active_experts": 2},
        GEMMA_LIKE | {"position": "rotary", "experts": 3, "renormalized": False},
    ],
)
@torch.inference_mode()
def test_blocks_of_other_parts_are_cached_too(changes, padded, kind):
    ids, starts = random_ids(13, 3, T), torch.tensor([0, 3, 6]) if padded else None
    for heads in (4, 2):
        model = make_model(key_value_heads=heads, **changes)
        full = model(ids, starts)
        tokens = torch.ones_like(ids) if starts is None else token_places(starts, ids)
        for chunk, pieces in ((None, [T]), (None, [1] * T), (5, [7, 1, 1, 9, 6])):
            predictor = kind(model, len(ids), starts=starts, chunk=chunk)
            error = (cached_logits(predictor, ids, pieces) - full).abs().amax(dim=-1) * tokens
            assert error.max() < 1e-5, (heads, pieces)


@pytest.mark.parametrize(
    ("blocks", "slots"), [((), 10), ((0,), T), ((0, 1), T)], ids=["local", "mixed", "global"]
)
def test_a_cache_forgets_only_what_no_block_will_see(blocks, slots):
    model = make_model(window=5, global_blocks=blocks)
    assert CachedLanguageModel(model, 1).cache.store.shape[3] == slots


@both_kinds
@pytest.mark.parametrize("window", [None, T])
@torch.inference_mode()
def test_a_prompt_may_see_all_of_itself_but_not_beyond_a_window(kind, window):
    model, ids, prefix = make_model(window=window), random_ids(13, 3, T), 9
    predictor = kind(model, len(ids))
    read = model.predict(predictor.read(ids[:, :prefix], causal=False))
    assert (read - model(ids[:, :prefix], causal=False)).abs().max() < 1e-5
    if window is None:
        mask = causal_mask(T) | (torch.arange(T) < prefix)
        rest = cached_logits(predictor, ids[:, prefix:], [1] * (T - prefix))
        full = model(ids, mask=mask, causal=False)
        assert (rest - full[:, prefix:]).abs().max() < 1e-5
    with pytest.raises(ShapeError, match=r"\(3, 9\) come in pieces of 4"):
        kind(model, len(ids), chunk=4).feed(ids[:, :prefix], causal=False)


@both_kinds
@pytest.mark.parametrize("rows", [[2, 0, 1], [1, 1], [0, 2, 2, 1, 0]])
@pytest.mark.parametrize("position", ["learned", "convolutional", "rotary"])
@torch.inference_mode()
def test_after_rows_are_selected_each_goes_on_with_its_own_past(position, rows, kind):
    model, ids = make_model(position=position), random_ids(13, 3, T)
    rows, starts = torch.tensor(rows), torch.tensor([0, 2, 5])
    predictor = kind(model, len(ids), starts=starts)
    predictor.feed(ids[:, :10])
    predictor.select(rows)
    new = random_ids(13, len(rows), T, seed=1)[:, 10:]  # rows go different ways from here
    cached = cached_logits(predictor, new, [1, 4, T - 15])
    full = model(torch.cat([ids[rows, :10], new], dim=1), starts[rows])
    assert (cached - full[:, 10:]).abs().max() < 1e-5


def test_a_text_takes_a_row_for_each_token_and_all_of_them_again_without_a_cache():
    model, prompt, rows = make_model(), random_ids(13, 3, 4), []
    model.stack.blocks[0].attention.qkv.register_forward_hook(
        lambda layer, given, out: rows.append(out[..., 0].numel())
    )
    text = generate(CachedLanguageModel(model, 3), prompt, T - 4)
    assert rows == [3 * n for n in (4, *[1] * (T - 5))]  # nothing is read after the last choice
    rows.clear()
    assert generate(Uncached(model), prompt, T - 4).equal(text)
    assert rows == [3 * n for n in range(4, T)]


@pytest.mark.parametrize(("groups", "window"), [(4, None), (1, 5)])
def test_the_memory_of_a_cache_is_that_of_the_formula(groups, window):
    cache = KeyValueCache(2, 3, groups, 4, T, like=torch.zeros(()), window=window)
    assert cache.bytes == 2 * 2 * 3 * groups * (T if window is None else 2 * window) * 4 * 4


def test_a_window_never_needs_more_than_its_slots():
    cache = KeyValueCache(1, 1, 1, 2, 10_000, like=torch.zeros(()), window=4)
    for t in range(500):
        cache.reserve(1)
        keys, _ = cache.extend(0, torch.full((1, 1, 1, 2), float(t)), torch.zeros(1, 1, 1, 2))
        cache.advance(1)
        assert keys[0, 0, -4:, 0].tolist() == [float(s) for s in range(max(0, t - 3), t + 1)]
    assert cache.store.shape[3] == 8


@both_kinds
def test_a_full_cache_says_so_and_keeps_what_it_has(kind):
    model, ids = make_model(), random_ids(13, 3, T)
    predictor = kind(model, 3, length=10)
    predictor.feed(ids[:, :8])
    with pytest.raises(ShapeError, match="3 more tokens after 8 do not fit"):
        predictor.feed(ids[:, 8:11])
    logits = predictor.feed(ids[:, 8:10])
    assert (logits - model(ids[:, :10])[:, -1]).abs().max() < 1e-5


def test_parts_of_another_kind_are_fused_as_they_are():
    model, ids = make_model(), random_ids(13, 3, T)
    for block in model.stack.blocks:
        block.feed_forward = torch.nn.Sequential(block.feed_forward, torch.nn.Tanh())
        block.feed_forward_residual.norm = RMSNorm(model.config.width)
    cached = cached_logits(FusedLanguageModel(model.eval(), 3), ids, [7, 1, T - 8])
    assert (cached - model(ids)).abs().max() < 1e-5


def test_two_caches_of_one_model_do_not_mix():
    model, ids = make_model(), random_ids(13, 3, T)
    one, other = (FusedLanguageModel(model, 3) for _ in range(2))
    one.feed(ids[:, :5])
    other.feed(ids[:, 7:9])
    assert (one.feed(ids[:, 5:6]) - model(ids[:, :6])[:, -1]).abs().max() < 1e-5


@both_kinds
def test_a_model_in_training_is_refused(kind):
    with pytest.raises(ValueError, match=r"call model.eval\(\)"):
        kind(make_model().train(), 1)


def test_weights_changed_in_place_are_seen():
    model, ids = make_model(), random_ids(13, 3, T)
    predictor = FusedLanguageModel(model, 3)
    model.load_state_dict(make_model(norm="pre", initialization="xavier").state_dict())
    with torch.no_grad():
        model.stack.blocks[0].attention.qkv.weight.mul_(0.5)
    assert (predictor.feed(ids) - model(ids)[:, -1]).abs().max() < 1e-5


@both_kinds
@pytest.mark.parametrize("wrong", [random_ids(13, 3, T)[0], random_ids(13, 3, T)[None], [1, 2]])
def test_what_is_no_batch_is_refused_in_the_words_of_the_model(kind, wrong):
    model, said = make_model(), set()
    for read in (model, kind(model, 1).feed, Uncached(model).feed):
        with pytest.raises((ShapeError, TypeError), match=r"ids must .*\(B, T\)") as caught:
            read(wrong)
        said.add(str(caught.value))
    assert len(said) == 1


@both_kinds
def test_sizes_that_do_not_fit_the_batch_are_refused(kind):
    model, starts = make_model(), torch.zeros(2, dtype=torch.int64)
    with pytest.raises(ShapeError, match=r"\(1, 24\).* batch of 3 rows"):
        kind(model, 3).feed(random_ids(13, 1, T))
    with pytest.raises(ShapeError, match="do not fit a batch of 3 texts"):
        kind(model, 3, starts=starts)
    for sizes in ({"length": 0}, {"chunk": 0}):
        with pytest.raises(ValueError, match="must be at least 1"):
            kind(model, 3, **sizes)
