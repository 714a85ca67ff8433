"""The cache, read step by step and fused: always the logits of the full forward pass."""

from dataclasses import replace
from itertools import pairwise

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.utils.flop_counter import FlopCounterMode

from headway.inference.cost import cache_bytes, cached_step_flops
from headway.inference.decoding import generate
from headway.inference.fused import FusedLanguageModel
from headway.inference.kv_cache import CachedLanguageModel, KeyValueCache
from headway.inference.predictor import Uncached
from headway.models.language_model import LanguageModel, LanguageModelConfig, token_places
from headway.models.parts import POSITIONS
from headway.nn.masks import prefix_mask
from headway.shapes import ShapeError

KINDS = [CachedLanguageModel, FusedLanguageModel]
LLAMA_LIKE = {"normalization": "rms", "gated": True, "activation": "silu", "bias": False}
QWEN_LIKE = LLAMA_LIKE | {"qkv_bias": True, "head_width": 6, "head_norm": True}
T = 24
SMALL = LanguageModelConfig(vocabulary=13, context=T, width=16, heads=4, layers=2, reach=3)


def make_model(**changes) -> LanguageModel:
    """A small model with weights large enough for every part to show in the logits."""
    generator = torch.Generator().manual_seed(1)
    model = LanguageModel(replace(SMALL, **changes), generator).eval()
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.3, generator=generator)
    return model


def make_ids(rows: int = 3) -> torch.Tensor:
    return torch.randint(13, (rows, T), generator=torch.Generator().manual_seed(2))


def cached_logits(predictor, ids: torch.Tensor, pieces: list[int]) -> torch.Tensor:
    """Logits at every position (B, T, V), the ids fed in pieces of these lengths."""
    read = [predictor.read(piece) for piece in ids.split(pieces, dim=1)]
    return predictor.model.predict(torch.cat(read, dim=1))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize("window", [None, 1, 5])
@pytest.mark.parametrize("position", POSITIONS)
@torch.inference_mode()
def test_every_position_gets_the_logits_of_the_full_forward_pass(position, window, padded, kind):
    ids, starts = make_ids(), torch.tensor([0, 3, 6]) if padded else None
    for heads, changes in ((4, {}), (2, {"norm": "post"}), (1, LLAMA_LIKE), (2, QWEN_LIKE)):
        model = make_model(position=position, window=window, key_value_heads=heads, **changes)
        full = model(ids, starts)
        tokens = torch.ones_like(ids) if starts is None else token_places(starts, ids)
        for pieces in ([T], [1] * T, [7, 1, 1, 9, 6]):
            cached = cached_logits(kind(model, len(ids), starts=starts), ids, pieces)
            error = (cached - full).abs().amax(dim=-1) * tokens
            assert error.max() < 1e-5, (heads, changes, pieces)


@given(st.sets(st.integers(1, T - 1)), st.integers(1, 8), st.sampled_from(KINDS))
@torch.inference_mode()
def test_however_a_prompt_is_cut_the_logits_are_the_same(cuts, chunk, kind):
    edges = [0, *sorted(cuts), T]
    pieces = [end - start for start, end in pairwise(edges)]
    model, ids = make_model(position="rotary"), make_ids(1)
    cached = cached_logits(kind(model, 1, chunk=chunk), ids, pieces)
    assert (cached - model(ids)).abs().max() < 1e-5


@pytest.mark.parametrize("kind", KINDS)
@torch.inference_mode()
def test_a_prompt_may_see_all_of_itself(kind):
    model, ids, prefix = make_model(), make_ids(), 9
    mask = prefix_mask(torch.full((len(ids),), prefix), T)
    full = model(ids, mask=mask, causal=False)
    predictor = kind(model, len(ids))
    first = predictor.feed(ids[:, :prefix], causal=False)
    rest = cached_logits(predictor, ids[:, prefix:], [1] * (T - prefix))
    assert (first - full[:, prefix - 1]).abs().max() < 1e-5
    assert (rest - full[:, prefix:]).abs().max() < 1e-5
    with pytest.raises(ShapeError, match=r"\(3, 9\) come in pieces of 4"):
        kind(model, len(ids), chunk=4).feed(ids[:, :prefix], causal=False)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rows", [[2, 0, 1], [1, 1], [0, 2, 2, 1, 0]])
@pytest.mark.parametrize("position", ["learned", "convolutional", "rotary"])
@torch.inference_mode()
def test_after_rows_are_selected_each_goes_on_with_its_own_past(position, rows, kind):
    model, ids, starts = make_model(position=position), make_ids(), torch.tensor([0, 2, 5])
    rows = torch.tensor(rows)
    predictor = kind(model, len(ids), starts=starts)
    predictor.feed(ids[:, :10])
    predictor.select(rows)
    new = make_ids(len(rows) + 3)[3:, 10:]  # rows go different ways from here
    cached = cached_logits(predictor, new, [1, 4, T - 15])
    full = model(torch.cat([ids[rows, :10], new], dim=1), starts[rows])
    assert (cached - full[:, 10:]).abs().max() < 1e-5


@pytest.mark.parametrize("kind", KINDS)
def test_generation_with_a_cache_writes_the_same_text(kind):
    model, prompt = make_model(), make_ids()[:, :4]
    plain = generate(Uncached(model), prompt, T - 4)
    assert generate(kind(model, len(prompt)), prompt, T - 4).equal(plain)


def test_a_text_takes_a_row_for_each_token_and_all_of_them_again_without_a_cache():
    model, prompt, rows = make_model(), make_ids()[:, :4], []
    fused = model.stack.blocks[0].attention.qkv
    fused.register_forward_hook(lambda layer, given, out: rows.append(out[..., 0].numel()))
    lengths = range(4, T)  # nothing is read after the last choice
    generate(CachedLanguageModel(model, len(prompt)), prompt, T - 4)
    assert rows == [len(prompt) * n for n in (4, *[1] * (T - 5))]
    rows.clear()
    generate(Uncached(model), prompt, T - 4)
    assert rows == [len(prompt) * n for n in lengths]


@pytest.mark.parametrize("kind", KINDS)
def test_batches_padded_on_the_left_continue_as_each_text_alone(kind):
    model, prompt, starts = make_model(), make_ids()[:, :8], torch.tensor([0, 3, 7])
    together = generate(kind(model, 3, starts=starts), prompt, 10)
    for row, start in enumerate(starts):
        alone = generate(kind(model, 1), prompt[row : row + 1, start:], 10)
        assert alone[0].equal(together[row, start:])


@torch.inference_mode()
def test_the_fused_form_gives_the_bits_of_the_explicit_one():
    model, ids = make_model(), make_ids()
    explicit, fused = (cached_logits(kind(model, 3), ids, [5] + [1] * 19) for kind in KINDS)
    assert (explicit - fused).abs().max() < 1e-6


def test_a_step_computes_one_position_and_not_all():
    model, ids = make_model(), make_ids(1)
    predictor = CachedLanguageModel(model, 1)
    predictor.feed(ids[:, :15])
    with FlopCounterMode(display=False) as counter:
        predictor.feed(ids[:, 15:16])
    step = cached_step_flops(model.config, 16)  # torch does not count its fused attention here
    assert counter.get_total_flops() == sum(step) - step.scores - step.mixing


@pytest.mark.parametrize(("groups", "window"), [(4, None), (2, None), (1, 5)])
def test_the_memory_of_a_cache_is_that_of_the_formula(groups, window):
    cache = KeyValueCache(2, 3, groups, 4, T, like=torch.zeros(()), window=window)
    slots = T if window is None else 2 * window
    assert cache.bytes == 2 * 2 * 3 * groups * slots * 4 * 4
    if window is None:
        assert cache.bytes == cache_bytes(2, groups, 4, T, batch=3, item_bytes=4)


def test_a_window_never_needs_more_than_its_slots():
    cache = KeyValueCache(1, 1, 1, 2, 10_000, like=torch.zeros(()), window=4)
    for t in range(500):
        cache.reserve(1)
        keys, _ = cache.extend(0, torch.full((1, 1, 1, 2), float(t)), torch.zeros(1, 1, 1, 2))
        cache.advance(1)
        assert keys[0, 0, -4:, 0].tolist() == [float(s) for s in range(max(0, t - 3), t + 1)]
    assert cache.store.shape[3] == 8


@pytest.mark.parametrize("kind", KINDS)
def test_a_full_cache_says_so_and_keeps_what_it_has(kind):
    model, ids = make_model(), make_ids()
    predictor = kind(model, 3, length=10)
    predictor.feed(ids[:, :8])
    with pytest.raises(ShapeError, match="3 more tokens after 8 do not fit"):
        predictor.feed(ids[:, 8:11])
    logits = predictor.feed(ids[:, 8:10])
    assert (logits - model(ids[:, :10])[:, -1]).abs().max() < 1e-5


def test_two_caches_of_one_model_do_not_mix():
    model, ids = make_model(), make_ids()
    one, other = (FusedLanguageModel(model, 3) for _ in range(2))
    one.feed(ids[:, :5])
    other.feed(ids[:, 7:9])
    assert (one.feed(ids[:, 5:6]) - model(ids[:, :6])[:, -1]).abs().max() < 1e-5


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_in_training_is_refused(kind):
    with pytest.raises(ValueError, match=r"call model.eval\(\)"):
        kind(make_model().train(), 1)


def test_weights_changed_in_place_are_seen():
    model, ids = make_model(), make_ids()
    predictor = FusedLanguageModel(model, 3)
    model.load_state_dict(make_model(norm="pre", initialization="xavier").state_dict())
    with torch.no_grad():
        model.stack.blocks[0].attention.qkv.weight.mul_(0.5)
    assert (predictor.feed(ids) - model(ids)[:, -1]).abs().max() < 1e-5


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("wrong", [make_ids()[0], make_ids()[None], [1, 2]])
def test_what_is_no_batch_is_refused_in_the_words_of_the_model(kind, wrong):
    model = make_model()
    said = []
    for read in (model, kind(model, 1).feed, Uncached(model).feed):
        with pytest.raises((ShapeError, TypeError), match=r"ids must .*\(B, T\)") as caught:
            read(wrong)
        said.append(str(caught.value))
    assert len(set(said)) == 1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("made_for", "fed"), [(3, 1), (1, 3), (2, 3)])
def test_ids_of_another_batch_than_the_cache_was_made_for_are_refused(made_for, fed, kind):
    with pytest.raises(ShapeError, match=rf"\({fed}, 24\).* batch of {made_for} rows"):
        kind(make_model(), made_for).feed(make_ids(fed))


@pytest.mark.parametrize("shape", [(1,), (2,), (3, 1)])
def test_there_is_one_start_for_each_text(shape):
    with pytest.raises(ShapeError, match="do not fit a batch of 3 texts"):
        CachedLanguageModel(make_model(), 3, starts=torch.zeros(shape, dtype=torch.int64))


@pytest.mark.parametrize("sizes", [{"length": 0}, {"chunk": 0}, {"chunk": -1}])
def test_a_cache_without_room_and_a_piece_without_tokens_are_refused(sizes):
    with pytest.raises(ValueError, match="must be at least 1"):
        CachedLanguageModel(make_model(), 3, **sizes)


@pytest.mark.parametrize("kind", KINDS)
@torch.inference_mode()
def test_a_window_hides_what_comes_later_also_in_a_prompt_that_may_see_all_of_itself(kind):
    model, ids = make_model(window=T), make_ids()
    full = model(ids[:, :9], causal=False)
    cached = kind(model, len(ids)).read(ids[:, :9], causal=False)
    assert (model.predict(cached) - full).abs().max() < 1e-5
