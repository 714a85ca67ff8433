"""The translator's cache, read step by step and fused: always the full forward pass."""

import itertools
from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from headway.inference.beam import beam_search
from headway.inference.cached_translator import CachedTranslator
from headway.inference.decoding import generate
from headway.inference.fused_translator import FusedTranslator
from headway.inference.predictor import Uncached
from headway.models.parts import POSITIONS
from headway.models.translator import Translator, TranslatorConfig
from headway.shapes import ShapeError
from tests.models.weights import random_ids, redrawn

V, T = 11, 9
START = 1
SMALL = TranslatorConfig(
    vocabulary=V, context=T, width=16, heads=4, layers=1, decoder_layers=2, hidden=24
)
KINDS = [{"position": position} for position in POSITIONS] + [
    {"norm": "post", "position": "sinusoidal", "scaled": True, "embedding_norm": True},
    {"key_value_heads": 2, "position": "rotary"},
    {"key_value_heads": 1, "position": "relative", "reach": 3},
    {"key_value_heads": 2, "head_width": 6, "head_norm": True, "qkv_bias": False},
    {"position": "convolutional", "reach": 1},
    {"source_vocabulary": 20, "tied": False, "output_bias": True, "decoder_layers": 1},
]


class UncachedTranslator(Uncached):
    """Reads its source once, and the whole target again for each token."""

    def __init__(self, model, source, mask=None):
        super().__init__(lambda ids: model.decode(ids, self.memory, self.mask))
        self.memory = model.encode(source, mask)
        self.mask = None if mask is None else mask.expand(len(source), 1, 1, source.shape[1])

    def select(self, rows):
        super().select(rows)
        self.memory = self.memory[rows]
        if self.mask is not None:
            self.mask = self.mask[rows]


CACHED = [CachedTranslator, FusedTranslator]
ALL = [UncachedTranslator, *CACHED]
kinds = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "-".join(map(str, kind.values())))
makes = pytest.mark.parametrize("make", CACHED)
close = {"atol": 1e-5, "rtol": 1e-4}


def translator(**changes):
    model = Translator(replace(SMALL, **changes), torch.Generator())
    return redrawn(model, std=0.5).requires_grad_(False)


SOURCE, TARGET = random_ids(V, 3, 6, 1), random_ids(V, 3, T, 2)
MASK = torch.tensor([6, 2, 0])[:, None, None, None] > torch.arange(6)


@makes
@kinds
@settings(max_examples=6)
@given(cuts=st.sets(st.integers(1, T - 1)), chunk=st.sampled_from([None, 4]))
def test_cached_and_uncached_agree_at_every_position_however_the_target_comes(
    make, kind, cuts, chunk
):
    model = translator(**kind)
    predictor, ends = make(model, SOURCE, MASK, chunk=chunk), [0, *sorted(cuts), T]
    read = [predictor.read(TARGET[:, a:b]) for a, b in itertools.pairwise(ends)]
    logits = model.predict(torch.cat(read, dim=1))
    torch.testing.assert_close(logits, model(SOURCE, TARGET, MASK), **close)


@kinds
@settings(max_examples=6)
@given(
    steps=st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=5), min_size=1, max_size=4),
    masked=st.booleans(),
)
def test_rows_take_their_target_and_their_source_along(kind, steps, masked):
    model, mask, fed = translator(**kind), MASK if masked else None, TARGET[:, :2]
    predictors = [make(model, SOURCE, mask) for make in ALL]
    for t, rows in enumerate([*steps, [0]]):
        expected, *found = (predictor.feed(fed) for predictor in predictors)
        for logits in found:
            torch.testing.assert_close(logits, expected, **close)
        rows = torch.tensor(rows) % len(fed)
        for predictor in predictors:
            predictor.select(rows)
        fed = random_ids(V, len(rows), 1, t)


def test_greedy_and_beam_search_find_the_same_with_and_without_the_cache():
    model = translator(norm="post", tied=False)
    prompt = torch.full((3, 1), START)
    uncached, *cached = (generate(make(model, SOURCE, MASK), prompt, T - 1) for make in ALL)
    assert all(ids.equal(uncached) for ids in cached)
    assert len(uncached.unique(dim=0)) > 1  # the sources matter
    end = int(uncached[0, 3])
    predictors = [make(model, SOURCE, MASK) for make in ALL]
    uncached, *cached = (beam_search(each, prompt, T - 1, 4, end) for each in predictors)
    for found in cached:
        assert found.ids.equal(uncached.ids)
        torch.testing.assert_close(found.scores, uncached.scores, **close)


@pytest.mark.parametrize("make", ALL)
def test_one_mask_may_serve_all_sentences(make):
    model, rows = translator(), torch.tensor([2, 0])
    predictor = make(model, SOURCE, MASK[1:2])
    predictor.feed(TARGET[:, :-1])
    predictor.select(rows)
    expected = model(SOURCE, TARGET, MASK[1:2])[rows, -1]
    torch.testing.assert_close(predictor.feed(TARGET[rows, -1:]), expected, **close)


@pytest.mark.parametrize("make", ALL)
@pytest.mark.parametrize("position", POSITIONS)
def test_an_empty_source_is_one_that_is_all_hidden(make, position):
    model, hidden = translator(position=position), MASK.new_zeros(3, 1, 1, 6)
    expected = make(model, SOURCE, hidden).feed(TARGET)
    for mask in (None, hidden[..., :0]):
        found = make(model, SOURCE[:, :0], mask).feed(TARGET)
        torch.testing.assert_close(found, expected, **close)


@makes
def test_a_model_in_training_is_refused(make):
    with pytest.raises(ValueError, match=r"call model.eval\(\)"):
        make(translator().train(), SOURCE)


def test_weights_changed_in_place_are_seen():
    model = translator(decoder_layers=1).requires_grad_()
    predictors = [make(model, SOURCE, MASK) for make in CACHED]
    before = CachedTranslator(model, SOURCE, MASK).feed(TARGET)
    cross = model.decoder.stack.blocks[0].cross_attention
    with torch.no_grad():
        for weight in (cross.qkv.weight, cross.qkv.bias, cross.output.weight, cross.output.bias):
            weight.mul_(0.5)
    explicit, fused = (predictor.feed(TARGET) for predictor in predictors)
    torch.testing.assert_close(fused, explicit, **close)
    assert (fused - before).abs().max() > 0.01


@makes
def test_nothing_waits_for_a_gradient(make):
    model = translator().requires_grad_()
    predictor = make(model, SOURCE)
    assert not any(part.requires_grad for pair in predictor.memories for part in pair)
    assert not predictor.feed(TARGET[:, :3]).requires_grad
    assert not predictor.cache.store.requires_grad


@makes
def test_a_search_can_be_gone_on_with_by_hand(make):
    predictor = make(translator().requires_grad_(), SOURCE)
    beam_search(predictor, TARGET[:, :1], 3, 2)
    predictor.select(torch.tensor([0, 3]))
    assert predictor.feed(TARGET[:2, :1]).isfinite().all()


@pytest.mark.parametrize(
    ("feed", "message"),
    [
        (lambda predictor: predictor.feed(TARGET[0]), r"ids must have shape \(B, T\), got \(9,\)"),
        (lambda predictor: predictor.feed(TARGET[:2]), r"ids \(2, 9\) go on with a batch of 3"),
        (lambda predictor: predictor.feed(torch.cat([TARGET, TARGET], 1)), "18 more tokens after"),
        (
            lambda predictor: (predictor.feed(TARGET), predictor.feed(TARGET[:, :1])),
            "1 more tokens after 9 do not fit",
        ),
    ],
)
@makes
def test_what_does_not_fit_is_named(make, feed, message):
    with pytest.raises(ShapeError, match=message):
        feed(make(translator(position="none"), SOURCE))


@makes
@pytest.mark.parametrize("size", ["length", "chunk"])
def test_sizes_below_one_are_refused(make, size):
    with pytest.raises(ValueError, match=f"must be at least 1, got .*{size}=0"):
        make(translator(), SOURCE, **{size: 0})
