"""The translator's cache, read step by step and fused: always the full forward pass."""

import itertools
from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from headway.inference.beam import beam_search
from headway.inference.cached_translator import CachedTranslator, UncachedTranslator
from headway.inference.decoding import generate
from headway.inference.fused_translator import FusedTranslator
from headway.models.parts import POSITIONS
from headway.models.translator import Translator, TranslatorConfig
from headway.nn.multihead import MultiHeadAttention
from headway.shapes import ShapeError

V, T = 11, 9
START, END = 1, 2
SMALL = TranslatorConfig(
    vocabulary=V, context=T, width=16, heads=4, layers=1, decoder_layers=2, hidden=24
)
KINDS = [{"position": position} for position in POSITIONS] + [
    {"norm": "post", "position": "sinusoidal", "scaled": True, "embedding_norm": True},
    {"key_value_heads": 2, "position": "rotary"},
    {"key_value_heads": 1, "position": "relative", "reach": 3},
    {"key_value_heads": 2, "head_width": 6, "head_norm": True, "qkv_bias": False},
    {"position": "convolutional", "reach": 1},
    {"position": "convolutional", "reach": 3},
    {"source_vocabulary": 20, "tied": False, "output_bias": True, "decoder_layers": 1},
]
CACHED = [CachedTranslator, FusedTranslator]
kinds = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "-".join(map(str, kind.values())))
makes = pytest.mark.parametrize("make", CACHED)
close = {"atol": 1e-5, "rtol": 1e-4}


def translator(**changes):
    """A model whose weights are so large that whatever is left out shows."""
    model = Translator(replace(SMALL, **changes), torch.Generator()).eval().requires_grad_(False)
    generator = torch.Generator().manual_seed(0)
    for parameter in model.parameters():
        std = 0.1 if parameter.dim() == 1 else 0.6
        parameter.add_(std * torch.randn(parameter.shape, generator=generator))
    return model


def drawn(B, length, seed):
    return torch.randint(1, V, (B, length), generator=torch.Generator().manual_seed(seed))


SOURCE, TARGET = drawn(3, 6, 1), drawn(3, T, 2)
MASK = torch.tensor([6, 2, 0])[:, None, None, None] > torch.arange(6)


def pieces(cuts):
    """The target in pieces that end at these places."""
    ends = [0, *sorted(cuts), T]
    return [TARGET[:, a:b] for a, b in itertools.pairwise(ends)]


@makes
@kinds
@settings(max_examples=6)
@given(cuts=st.sets(st.integers(1, T - 1)))
def test_cached_and_uncached_agree_at_every_position_however_the_target_comes(make, kind, cuts):
    model = translator(**kind)
    predictor = make(model, SOURCE, MASK)
    logits = [model.predict(predictor.read(piece)) for piece in pieces(cuts)]
    torch.testing.assert_close(torch.cat(logits, dim=1), model(SOURCE, TARGET, MASK), **close)


@makes
@kinds
def test_a_long_prompt_may_come_in_chunks(make, kind):
    model = translator(**kind)
    whole, chunked = (make(model, SOURCE, MASK, chunk=chunk) for chunk in (None, 4))
    torch.testing.assert_close(chunked.read(TARGET), whole.read(TARGET), **close)


@kinds
@settings(max_examples=6)
@given(
    steps=st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=5), min_size=1, max_size=4),
    masked=st.booleans(),
)
def test_rows_take_their_target_and_their_source_along(kind, steps, masked):
    model, mask = translator(**kind), MASK if masked else None
    predictors = [make(model, SOURCE, mask) for make in (UncachedTranslator, *CACHED)]

    def feed_all(ids):
        expected, *found = (predictor.feed(ids) for predictor in predictors)
        for logits in found:
            torch.testing.assert_close(logits, expected, **close)

    fed = TARGET[:, :2]
    for t, rows in enumerate(steps):
        feed_all(fed)
        rows = torch.tensor(rows) % len(fed)
        for predictor in predictors:
            predictor.select(rows)
        fed = drawn(len(rows), 1, t)
    feed_all(fed)


@kinds
def test_the_fused_form_gives_the_numbers_of_the_explicit_one(kind):
    model = translator(**kind)
    explicit, fused = (make(model, SOURCE, MASK) for make in CACHED)
    for piece in pieces([3, 4, 5]):
        hidden, expected = fused.read(piece), explicit.read(piece)
        torch.testing.assert_close(hidden, expected, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("make", [*CACHED, UncachedTranslator])
def test_a_predictor_gives_the_logits_after_the_last_token(make):
    model = translator()
    predictor, logits = make(model, SOURCE, MASK), model(SOURCE, TARGET, MASK)
    for t in range(T):
        torch.testing.assert_close(predictor.feed(TARGET[:, t : t + 1]), logits[:, t], **close)


def test_the_memory_is_projected_once_and_each_token_read_once(monkeypatch):
    model, projected, read = translator(layers=2, decoder_layers=3), [], []
    keys_values = MultiHeadAttention.keys_values

    def counted(self, memory):
        projected.append(self)
        return keys_values(self, memory)

    monkeypatch.setattr(MultiHeadAttention, "keys_values", counted)
    for stack in (model.encoder.stack, model.decoder.stack):
        stack.blocks[0].feed_forward.register_forward_hook(
            lambda module, given, output: read.append(output.shape[1])
        )
    generate(CachedTranslator(model, SOURCE, MASK), torch.full((3, 1), START), 6)
    assert projected == [block.cross_attention for block in model.decoder.stack.blocks]
    assert read == [6, 1, 1, 1, 1, 1, 1]  # the source once, then each token but the last


@makes
def test_beams_that_change_places_within_their_sentence_leave_its_memory_where_it_is(make):
    predictor = make(translator(), SOURCE, MASK)
    predictor.feed(TARGET[:, :1])
    predictor.select(torch.tensor([0, 0, 1, 1, 2, 2]))
    memories = predictor.memories
    assert memories[0][0].shape[0] == 6
    predictor.select(torch.tensor([1, 0, 3, 3, 4, 5]))
    assert predictor.memories is memories
    predictor.select(torch.tensor([2, 0, 3, 3, 4, 5]))
    assert predictor.memories is not memories
    assert predictor.sentences.tolist() == [1, 0, 1, 1, 2, 2]


@pytest.mark.parametrize("position", ["sinusoidal", "convolutional", "relative"])
def test_greedy_and_beam_search_find_the_same_with_and_without_the_cache(position):
    model = translator(position=position, norm="post", tied=False)
    prompt = torch.full((3, 1), START)

    def predictors():
        return [make(model, SOURCE, MASK) for make in (UncachedTranslator, *CACHED)]

    uncached, *cached = (generate(predictor, prompt, T - 1) for predictor in predictors())
    assert all(ids.equal(uncached) for ids in cached)
    assert len(uncached.unique(dim=0)) > 1  # the sources matter
    end = int(uncached[0, 3])
    uncached, *cached = (beam_search(each, prompt, T - 1, 4, end) for each in predictors())
    for found in cached:
        assert found.ids.equal(uncached.ids)
        torch.testing.assert_close(found.scores, uncached.scores, **close)


@makes
def test_predictors_of_two_batches_share_nothing(make):
    model = translator()
    alone = make(model, SOURCE).feed(TARGET)
    one, other = make(model, SOURCE), make(model, SOURCE.flip(0))
    for t in range(T):
        logits = one.feed(TARGET[:, t : t + 1])
        other.feed(TARGET[:, t : t + 1].flip(1))
    torch.testing.assert_close(logits, alone, **close)


def test_one_mask_may_serve_all_sentences():
    model = translator()
    shared = MASK[1:2]
    expected = model(SOURCE, TARGET, shared)[:, -1]
    rows = torch.tensor([2, 0])
    for make in (*CACHED, UncachedTranslator):
        predictor = make(model, SOURCE, shared)
        predictor.feed(TARGET[:, :-1])
        predictor.select(rows)
        torch.testing.assert_close(predictor.feed(TARGET[rows, -1:]), expected[rows], **close)


@pytest.mark.parametrize("make", [*CACHED, UncachedTranslator])
@pytest.mark.parametrize("position", POSITIONS)
def test_an_empty_source_is_one_that_is_all_hidden(make, position):
    model, empty = translator(position=position), SOURCE[:, :0]
    hidden = MASK.new_zeros(3, 1, 1, 6)  # all of a source hidden: nothing to look at either
    for mask in (None, hidden[..., :0]):
        found = make(model, empty, mask).feed(TARGET)
        torch.testing.assert_close(found, make(model, SOURCE, hidden).feed(TARGET), **close)


@pytest.mark.parametrize("kind", [CachedTranslator, FusedTranslator, UncachedTranslator])
def test_a_model_in_training_is_refused(kind):
    with pytest.raises(ValueError, match=r"call model.eval\(\)"):
        kind(translator().train(), SOURCE)


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
    assert not UncachedTranslator(model, SOURCE).memory.requires_grad


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
