import copy
import math
from dataclasses import replace
from itertools import product

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from headway.models.language_model import CONFIGS, LanguageModel, LanguageModelConfig
from headway.models.parts import NORMS, POSITIONS, parameter_count
from headway.nn.experts import balancing_loss, watch_routers
from headway.nn.masks import window_mask
from headway.nn.rotary_scaling import LinearScaling
from headway.shapes import ShapeError
from headway.training.loss import cross_entropy
from tests.models.weights import random_ids, redrawn
from tests.nn.drawn import seeded

V, N, C = 23, 12, 16
SMALL = LanguageModelConfig(vocabulary=V, context=N, width=C, heads=4, layers=2, reach=3)
close = {"atol": 1e-5, "rtol": 1e-5}
every_position = pytest.mark.parametrize("position", POSITIONS)


def small(seed=3, **changes):
    """A model whose weights are large enough for everything to show."""
    return redrawn(LanguageModel(replace(SMALL, **changes), seeded()), seed=seed)


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


@every_position
@pytest.mark.parametrize("norm", NORMS)
def test_logits_do_not_see_later_tokens(position, norm):
    model, ids = small(position=position, norm=norm), random_ids(V, 1, 8).expand(8, 8)
    others = torch.where(torch.eye(8).bool(), (ids + 1) % V, ids)  # row t: another word at t
    before, after = model(ids), model(others)
    for t in range(8):
        assert before[t, :t].equal(after[t, :t])
        assert not torch.isclose(before[t, t], after[t, t]).all()


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
def test_a_text_of_nothing_but_padding_gives_finite_numbers(position):
    model, ids = small(position=position), random_ids(V, 2, 6)
    logits = model(ids, torch.tensor([6, 2]))
    assert logits.isfinite().all()
    logits[1].sum().backward()
    assert all(weight.grad.isfinite().all() for weight in model.parameters())


@every_position
def test_a_window_is_a_window_mask(position):
    model, ids = small(position=position), random_ids(V, 2, 9)
    windowed = small(position=position, window=3)(ids)
    torch.testing.assert_close(windowed, model(ids, mask=window_mask(3, 9)), **close)
    assert not torch.allclose(windowed[:, 3:], model(ids)[:, 3:])


@every_position
def test_global_blocks_see_beyond_the_window_of_the_others(position):
    sizes, ids = {"position": position, "layers": 3}, random_ids(V, 2, 9)
    model, mixed = small(**sizes), small(window=3, global_blocks=(1,), **sizes)
    stack, masks = model.stack, (window_mask(3, 9), None, window_mask(3, 9))
    bias = None if model.relative_bias is None else model.relative_bias(9, 9)
    x = model.input(model.embed(ids))
    for block, mask in zip(stack.blocks, masks, strict=True):
        x = block(x, mask=mask, score_bias=bias, causal=True)
    torch.testing.assert_close(mixed(ids), model.predict(stack.norm(x)), **close)
    assert not torch.allclose(mixed(ids)[:, 3:], small(window=3, **sizes)(ids)[:, 3:])


def test_local_blocks_turn_by_a_base_of_their_own_without_a_scaling():
    scaling = LinearScaling(4)
    config = replace(SMALL, position="rotary", scaling=scaling, window=3, global_blocks=(1,))
    usual = config.make_rotaries()
    assert usual[0] is usual[1]
    local, everywhere = replace(config, local_base=9.0).make_rotaries()
    assert everywhere.cos.equal(usual[1].cos)
    assert local.cos.equal(replace(SMALL, position="rotary", base=9.0).make_rotary().cos)


def test_logits_have_a_cap_and_scaled_embeddings_begin_at_the_size_of_one():
    capped, ids = small(logit_cap=0.7), random_ids(V, 2, 9)
    expected = 0.7 * torch.tanh(small()(ids) / 0.7)
    torch.testing.assert_close(capped(ids), expected, **close)
    scaled = LanguageModel(replace(SMALL, scaled=True, vocabulary=5000), seeded())
    assert scaled.embed(random_ids(5000, 50, 9)).std().item() == pytest.approx(1, abs=0.05)


@every_position
def test_the_order_matters_where_there_are_positions(position):
    model, ids = small(position=position), random_ids(V, 1, 7)
    order = torch.tensor([3, 1, 2, 0, 4, 5, 6])
    moved, logits = model(ids[:, order], causal=False), model(ids, causal=False)[:, order]
    assert torch.allclose(moved, logits, atol=1e-3) == (position == "none")


def test_an_untied_model_scores_with_a_matrix_of_its_own():
    tied, untied = small(), small(tied=False)
    assert parameter_count(untied) == parameter_count(tied) + V * C
    hidden = torch.randn(2, C, generator=seeded())
    assert tied.predict(hidden).equal(hidden @ tied.embedding.weight.T)
    assert untied.predict(hidden).equal(hidden @ untied.output.weight.T)


@pytest.mark.parametrize("renormalized", [True, False])
def test_one_expert_is_the_dense_model_exactly(renormalized):
    one = small(gated=True, experts=1, active_experts=1, renormalized=renormalized)
    dense = LanguageModel(replace(SMALL, gated=True), seeded())
    weights = {name.replace("experts.0.", ""): w for name, w in one.state_dict().items()}
    dense.load_state_dict({name: w for name, w in weights.items() if "router" not in name})
    ids = random_ids(V, 3, N)
    assert one(ids).equal(dense.eval()(ids))


def test_experts_are_drawn_and_scaled_as_a_feed_forward_is():
    model = LanguageModel(replace(SMALL, gated=True, width=64, experts=4), seeded())
    again = LanguageModel(replace(SMALL, gated=True, width=64, experts=4), seeded())
    pairs = zip(model.parameters(), again.parameters(), strict=True)
    assert all(weight.equal(other) for weight, other in pairs)
    for block in model.stack.blocks:
        assert block.feed_forward.router.weight.std().item() == pytest.approx(0.02, rel=0.2)
        for expert in block.feed_forward.experts:
            assert expert.expand.weight.std().item() == pytest.approx(0.02, rel=0.1)
            assert expert.contract.weight.std().item() == pytest.approx(0.02 / 4**0.5, rel=0.1)


def test_all_experts_learn_with_the_balancing_loss_of_each_block():
    model, ids = small(gated=True, experts=3, active_experts=2), random_ids(V, 8, N)
    with watch_routers(model) as scores:
        loss = cross_entropy(model(ids[:, :-1]), ids[:, 1:])
    assert [tuple(each.shape) for each in scores] == [(8 * (N - 1), 3)] * 2
    (loss + 0.01 * sum(balancing_loss(each, 2) for each in scores)).backward()
    assert all(weight.grad is not None and weight.grad.any() for weight in model.parameters())


def test_the_first_loss_is_that_of_knowing_nothing():
    config = replace(SMALL, vocabulary=500, context=64, width=64, layers=4)
    for norm, position in product(NORMS, ("learned", "none", "rotary")):
        model = LanguageModel(replace(config, norm=norm, position=position), seeded())
        ids = random_ids(500, 8, 65)
        loss = cross_entropy(model(ids[:, :-1]), ids[:, 1:]).item()
        assert loss == pytest.approx(math.log(500), rel=0.01)


@every_position
def test_the_seed_decides_all_weights(position):
    config = replace(SMALL, position=position, tied=False)
    torch.manual_seed(1)
    first = LanguageModel(config, seeded()).state_dict()
    torch.manual_seed(2)
    again = LanguageModel(config, seeded()).state_dict()
    other = LanguageModel(config, seeded(1)).state_dict()
    assert all(weight.equal(again[name]) for name, weight in first.items())
    same = {
        name for name, weight in first.items() if weight.dim() > 1 and weight.equal(other[name])
    }
    # Relative biases and sinusoids start the same from every seed.
    fixed = {"relative": {"relative_bias.table"}, "hybrid": {"input.position.table"}}
    assert same == fixed.get(position, set())


@every_position
def test_a_copy_and_a_state_dict_are_the_same_model_with_weights_of_its_own(position):
    model, ids = small(position=position, tied=False), random_ids(V, 2, 6)
    twin, loaded = copy.deepcopy(model), small(seed=4, position=position, tied=False)
    assert not torch.allclose(loaded(ids), model(ids))
    loaded.load_state_dict(model.state_dict())
    before = model(ids)
    assert twin(ids).equal(before)
    assert loaded(ids).equal(before)
    with torch.no_grad():
        twin.embedding.weight.add_(1)
        loaded.embedding.weight.add_(1)
    assert model(ids).equal(before)


@pytest.mark.parametrize(("B", "T"), [(1, 1), (3, N), (0, 4), (2, 0)])
def test_batches_of_any_size_are_read(B, T):
    assert small()(random_ids(V, B, T)).shape == (B, T, V)


@pytest.mark.parametrize("layers", [0, 2])
def test_dropout_acts_in_training_only_and_on_the_embeddings_too(layers):
    model, ids = small(dropout=0.5, layers=layers), random_ids(V, 2, 6)
    assert model(ids).equal(small(layers=layers)(ids))
    model.train()
    assert not model(ids).equal(model(ids))


@every_position
def test_a_text_beyond_the_context_is_refused_where_a_table_ends_with_it(position):
    model, ids = small(position=position), random_ids(V, 1, N + 1)
    if position in ("sinusoidal", "learned", "hybrid", "rotary"):
        with pytest.raises(ShapeError, match=rf"13.*\({N}, \d+\).*longer than the context"):
            model(ids)
    else:
        assert model(ids).isfinite().all()


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: small()(torch.arange(5)), ShapeError, r"\(B, T\), got \(5,\).*ids\[None\]"),
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
        (lambda: small(layers=-1), ValueError, "layers must be at least 0, got -1"),
        (lambda: small(width=0), ValueError, "width must be at least 1, got 0"),
        (lambda: small(position="alibi"), ValueError, "position must be one of none, sinusoidal"),
        (
            lambda: small(pairs="interleaved"),
            ValueError,
            "position='learned' turns none. Was position=\"rotary\" meant",
        ),
        (lambda: small(heads=3), ShapeError, "16 does not divide into 3"),
        (lambda: small()([1, 2]), TypeError, r"got list.*torch\.tensor\(\[ids\]\)"),
        (lambda: small()(torch.zeros(2, 3, 4)), ShapeError, r"\(2, 3, 4\).*vectors"),
        (lambda: small(window=0), ValueError, "window must be at least 1"),
        (lambda: small(logit_cap=0.0), ValueError, "logit_cap must be above 0, got 0.0"),
        (lambda: small(score_cap=-1.0), ValueError, "score_cap must be above 0, got -1.0"),
        (lambda: small(window=3, global_blocks=(2,)), ValueError, "block 2 cannot be global"),
        (lambda: small(global_blocks=(1,)), ValueError, "need a window"),
        (lambda: small(local_base=9.0), ValueError, "need a window"),
        (lambda: small(parallel=True, norm="post"), ValueError, "parallel blocks norm what they"),
        (lambda: small(experts=4), ValueError, "experts=4 are gated .* need gated=True"),
        (lambda: small(gated=True, experts=1), ValueError, "got 2 of 1"),
        (lambda: small(rotary_share=0.0), ValueError, "rotary_share must be above 0"),
        (lambda: small(rotary_share=1.1), ValueError, "rotary_share must be .* at most 1"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(call, error, message):
    with pytest.raises(error, match=message):
        call()
