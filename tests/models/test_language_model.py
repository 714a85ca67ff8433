import copy
import math
from dataclasses import replace
from itertools import product

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch._subclasses.fake_tensor import FakeTensorMode

from headway.models.language_model import CONFIGS, LanguageModel, LanguageModelConfig
from headway.models.parts import ACTIVATIONS, INITIALIZATIONS, NORMS, POSITIONS, parameter_count
from headway.nn.masks import prefix_mask, window_mask
from headway.shapes import ShapeError
from headway.training.loss import cross_entropy
from tests.models.weights import random_ids, redrawn

V, N, C = 23, 12, 16
SMALL = LanguageModelConfig(vocabulary=V, context=N, width=C, heads=4, layers=2, reach=3)
TABLED = ("sinusoidal", "learned", "hybrid", "rotary")  # these end with the context
close = {"atol": 1e-5, "rtol": 1e-5}
every_position = pytest.mark.parametrize("position", POSITIONS)


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def small(seed=3, **changes):
    """A model whose weights are large enough for everything to show."""
    return redrawn(LanguageModel(replace(SMALL, **changes), generator()), seed=seed)


def changed(ids, t):
    """The ids with another word at place t."""
    other = ids.clone()
    other[:, t] = (other[:, t] + 1) % V
    return other


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("gpt-1", 116_534_784),
        ("gpt-2", 124_439_808),
        ("gpt-2-medium", 354_823_168),
        ("gpt-2-large", 774_030_080),
        ("gpt-2-xl", 1_557_611_200),
        ("llama-2-7b", 6_738_415_616),
        ("llama-3-8b", 8_030_261_248),
    ],
)
def test_published_sizes_have_the_published_number_of_parameters(name, count):
    with FakeTensorMode():  # shapes without numbers
        assert parameter_count(LanguageModel(CONFIGS[name], torch.Generator())) == count


def test_every_published_size_is_counted():
    assert len(CONFIGS) == 7


@every_position
@pytest.mark.parametrize("norm", NORMS)
def test_logits_do_not_see_later_tokens(position, norm):
    model, ids = small(position=position, norm=norm), random_ids(V, 1, 8).expand(8, 8)
    others = torch.where(torch.eye(8).bool(), (ids + 1) % V, ids)  # row t: another word at t
    with torch.no_grad():
        before, after = model(ids), model(others)
    for t in range(8):
        assert before[t, :t].equal(after[t, :t])
        assert not torch.isclose(before[t, t], after[t, t]).all()


@every_position
def test_gradients_to_the_future_are_zero(position):
    model, kept = small(position=position), []

    def keep(part, given, output):
        output.retain_grad()
        kept.append(output)

    model.embedding.register_forward_hook(keep)
    model(random_ids(V, 1, 8))[:, 4].square().sum().backward()
    sizes = kept[0].grad[0].abs().sum(-1)
    assert (sizes[5:] == 0).all()
    assert (sizes[:5] > 0).all()


@every_position
@given(st.integers(0, 4))
def test_padding_on_the_right_changes_nothing(position, more):
    model, ids = small(position=position), random_ids(V, 2, 6)
    padded = torch.cat((ids, random_ids(V, 2, more, seed=1)), dim=1)
    torch.testing.assert_close(model(padded)[:, :6], model(ids), **close)


@every_position
@pytest.mark.parametrize("changes", [{}, {"window": 3}, {"norm": "post", "key_value_heads": 2}])
def test_padding_on_the_left_changes_nothing_where_the_starts_are_given(position, changes):
    model, ids = small(position=position, **changes), random_ids(V, 4, 9)
    starts = torch.tensor([0, 1, 5, 8])
    logits = model(ids, starts)
    for row, start in enumerate(starts):
        expected = model(ids[row : row + 1, start:])
        torch.testing.assert_close(logits[row : row + 1, start:], expected, **close)


@every_position
def test_what_stands_in_the_padding_on_the_left_does_not_matter(position):
    model, ids, starts = small(position=position), random_ids(V, 1, 9), torch.tensor([4])
    other = ids.clone()
    other[:, :4] = random_ids(V, 1, 4, seed=1)
    assert model(ids, starts)[:, 4:].equal(model(other, starts)[:, 4:])


@every_position
@pytest.mark.parametrize("norm", NORMS)
def test_a_text_of_nothing_but_padding_gives_finite_numbers(position, norm):
    model, ids = small(position=position, norm=norm), random_ids(V, 2, 6)
    logits = model(ids, torch.tensor([6, 2]))
    assert logits.isfinite().all()
    logits[1].sum().backward()
    assert all(weight.grad.isfinite().all() for weight in model.parameters())


@every_position
def test_a_window_is_a_window_mask(position):
    model, ids = small(position=position), random_ids(V, 2, 9)
    windowed = small(position=position, window=3)
    torch.testing.assert_close(windowed(ids), model(ids, mask=window_mask(3, 9)), **close)
    assert not torch.allclose(windowed(ids)[:, 3:], model(ids)[:, 3:])
    torch.testing.assert_close(windowed(ids)[:, :3], model(ids)[:, :3], **close)


def test_layers_of_windows_reach_as_far_as_their_windows_together():
    model, ids = small(window=3), random_ids(V, 1, 9)  # 2 layers see 2 · 2 tokens back
    before = model(ids)[:, 8]
    assert before.equal(model(changed(ids, 3))[:, 8])
    assert not torch.allclose(before, model(changed(ids, 4))[:, 8])


@pytest.mark.parametrize("position", ["learned", "rotary", "relative"])
def test_in_a_prefix_all_tokens_see_each_other_and_none_sees_what_follows(position):
    model, ids = small(position=position), random_ids(V, 2, 8)
    mask = prefix_mask(torch.tensor([4, 0]), 8)
    logits = model(ids, mask=mask, causal=False)
    inside = model(changed(ids, 3), mask=mask, causal=False)
    assert not torch.isclose(logits[0, 0], inside[0, 0]).all()
    assert logits[1, :3].equal(inside[1, :3])  # the other text has no prefix
    assert logits[:, :5].equal(model(changed(ids, 5), mask=mask, causal=False)[:, :5])
    torch.testing.assert_close(logits[1], model(ids)[1], **close)


@pytest.mark.parametrize("norm", NORMS)
@given(st.permutations(range(7)))
@settings(max_examples=20)
def test_without_positions_and_masks_permuted_tokens_give_permuted_logits(norm, order):
    model, ids = small(position="none", norm=norm), random_ids(V, 2, 7)
    torch.testing.assert_close(
        model(ids[:, order], causal=False), model(ids, causal=False)[:, order], **close
    )


@pytest.mark.parametrize("position", [name for name in POSITIONS if name != "none"])
def test_with_positions_the_order_matters(position):
    model, ids = small(position=position), random_ids(V, 1, 7)
    order = torch.tensor([3, 1, 2, 0, 4, 5, 6])
    moved = model(ids[:, order], causal=False)
    assert not torch.allclose(moved, model(ids, causal=False)[:, order], atol=1e-3)


def test_an_untied_model_scores_with_a_matrix_of_its_own():
    tied, untied = small(), small(tied=False)
    assert parameter_count(untied) == parameter_count(tied) + V * C
    hidden = torch.randn(2, C, generator=generator())
    assert tied.predict(hidden).equal(hidden @ tied.embedding.weight.T)
    assert untied.predict(hidden).equal(hidden @ untied.output.weight.T)
    assert untied(random_ids(V, 2, 5)).shape == (2, 5, V)


@pytest.mark.parametrize("norm", NORMS)
def test_without_layers_each_token_is_scored_by_itself(norm):
    model, ids = small(layers=0, norm=norm), random_ids(V, 2, 5)
    x = model.embedding.weight[ids] + model.input.position.table[:5]
    x = model.stack.norm(x)  # nothing after post-norm blocks
    torch.testing.assert_close(model(ids), x @ model.embedding.weight.T, **close)


@pytest.mark.parametrize(("B", "T"), [(1, 1), (3, N), (0, 4), (2, 0)])
def test_batches_of_any_size_are_read(B, T):
    assert small()(random_ids(V, B, T)).shape == (B, T, V)


CHOICES = {
    "norm": NORMS,
    "activation": ACTIVATIONS,
    "position": POSITIONS,
    "initialization": INITIALIZATIONS,
}


@pytest.mark.parametrize(
    ("name", "choice"), [(name, choice) for name, known in CHOICES.items() for choice in known]
)
def test_every_choice_makes_a_model_that_learns_from_every_weight(name, choice):
    model, ids = LanguageModel(replace(SMALL, **{name: choice}), generator()), random_ids(V, 2, 9)
    cross_entropy(model(ids[:, :-1]), ids[:, 1:]).backward()
    for name, weight in model.named_parameters():
        assert weight.grad is not None, name
        assert weight.grad.isfinite().all(), name


def test_the_first_loss_is_that_of_knowing_nothing():
    config = replace(SMALL, vocabulary=500, context=64, width=64, layers=4)
    for norm, position in product(NORMS, ("learned", "none", "rotary")):
        model = LanguageModel(replace(config, norm=norm, position=position), generator())
        ids = random_ids(500, 8, 65)
        loss = cross_entropy(model(ids[:, :-1]), ids[:, 1:]).item()
        assert loss == pytest.approx(math.log(500), rel=0.01)


@pytest.mark.parametrize("initialization", INITIALIZATIONS)
@every_position
def test_the_seed_decides_all_weights(position, initialization):
    config = replace(SMALL, position=position, initialization=initialization, tied=False)
    torch.manual_seed(1)
    first = LanguageModel(config, generator()).state_dict()
    torch.manual_seed(2)
    again = LanguageModel(config, generator()).state_dict()
    other = LanguageModel(config, generator(1)).state_dict()
    assert all(weight.equal(again[name]) for name, weight in first.items())
    drawn = {name for name, weight in first.items() if not weight.equal(other[name])}
    matrices = {
        name
        for name, weight in first.items()
        if weight.dim() > 1 and "relative" not in name and position != "hybrid"
    }
    assert drawn >= matrices  # relative biases and sinusoids start the same


def test_pre_norm_models_start_with_smaller_weights_before_each_sum():
    pre, post = (LanguageModel(replace(SMALL, norm=n), generator()) for n in ("pre", "post"))
    for smaller, plain in zip(pre.stack.blocks, post.stack.blocks, strict=True):
        for name in ("attention.output.weight", "feed_forward.contract.weight"):
            expected = plain.get_parameter(name) / 2  # 2 layers have 4 sub-layers
            torch.testing.assert_close(smaller.get_parameter(name), expected)
        torch.testing.assert_close(smaller.attention.qkv.weight, plain.attention.qkv.weight)


@every_position
def test_a_state_dict_carries_the_whole_model(position):
    model, ids = small(position=position, tied=False), random_ids(V, 2, 6)
    other = small(seed=4, position=position, tied=False)
    assert not torch.allclose(other(ids), model(ids))
    other.load_state_dict(model.state_dict())
    assert other(ids).equal(model(ids))


def test_a_copy_is_the_same_model_with_weights_of_its_own():
    model, ids = small(), random_ids(V, 2, 6)
    twin, before = copy.deepcopy(model), model(ids)
    assert twin(ids).equal(before)
    with torch.no_grad():
        twin.embedding.weight.add_(1)
    assert model(ids).equal(before)
    assert parameter_count(twin) == parameter_count(model)


@pytest.mark.parametrize("layers", [0, 2])
def test_dropout_acts_in_training_only_and_on_the_embeddings_too(layers):
    model, ids = small(dropout=0.5, layers=layers), random_ids(V, 2, 6)
    assert model(ids).equal(small(layers=layers)(ids))
    model.train()
    assert not model(ids).equal(model(ids))


@pytest.mark.parametrize("position", [name for name in POSITIONS if name not in TABLED])
def test_schemes_without_a_table_read_on_beyond_the_context(position):
    assert small(position=position)(random_ids(V, 1, 2 * N)).isfinite().all()


@pytest.mark.parametrize("position", TABLED)
def test_a_text_beyond_the_context_is_refused(position):
    with pytest.raises(ShapeError, match=rf"13.*\({N}, \d+\).*longer than the context"):
        small(position=position)(random_ids(V, 1, N + 1))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: small()(torch.arange(5)), ShapeError, r"\(B, T\), got \(5,\).*ids\[None\]"),
        (lambda: small()(torch.zeros(1, 3)), TypeError, "int64 or int32, got torch.float32"),
        (lambda: small()(torch.tensor([[1, V]])), IndexError, r"0 … 22.*got 1 … 23"),
        (
            lambda: small()(random_ids(V, 2, 5), torch.tensor([1])),
            ShapeError,
            r"starts \(1,\) and ids \(2, 5\)",
        ),
        (
            lambda: small()(random_ids(V, 2, 5), mask=torch.ones(2, 5).bool()),
            ShapeError,
            r"\(2, 5\).*mask\[:, None, None, :\]",
        ),
        (lambda: small(width=0), ValueError, "width must be at least 1, got 0"),
        (lambda: small(layers=-1), ValueError, "layers must be at least 0, got -1"),
        (lambda: small(norm="none"), ValueError, "one of pre, post; got 'none'"),
        (lambda: small(activation="tanh"), ValueError, "activation must be one of relu, gelu"),
        (lambda: small(position="alibi"), ValueError, "position must be one of none, sinusoidal"),
        (
            lambda: small(position="rotary", pairs="quarters"),
            ValueError,
            "pairs must be one of halves, interleaved; got 'quarters'",
        ),
        (
            lambda: small(pairs="interleaved"),
            ValueError,
            "position='learned' turns none. Was position=\"rotary\" meant",
        ),
        (
            lambda: small(initialization="zeros"),
            ValueError,
            "initialization must be one of normal, xavier",
        ),
        (lambda: small(heads=3), ShapeError, "16 does not divide into 3"),
        (lambda: small(key_value_heads=3), ShapeError, "4 does not divide into 3"),
        (lambda: small()([1, 2]), TypeError, r"got list.*torch\.tensor\(\[ids\]\)"),
        (lambda: small()(torch.zeros(2, 3, 4)), ShapeError, r"\(2, 3, 4\).*vectors"),
        (lambda: small(hidden=0), ValueError, "hidden must be at least 1, got 0"),
        (lambda: small(window=0), ValueError, "window must be at least 1"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(call, error, message):
    with pytest.raises(error, match=message):
        call()
