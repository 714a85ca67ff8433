"""Low-rank updates beside frozen layers."""

import copy

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from headway.inference.fused import FusedLanguageModel
from headway.models.language_model import LanguageModel, LanguageModelConfig
from headway.nn.low_rank import LowRank, add_low_rank, merge_low_rank
from headway.nn.multihead import MultiHeadAttention
from headway.training.optimizer import adamw
from tests.nn.drawn import normal, rough, seeded

CONFIG = LanguageModelConfig(vocabulary=11, context=9, width=8, heads=2, layers=2, hidden=20)
IDS = torch.randint(11, (3, 9), generator=seeded())
ranks = st.integers(1, 6)


def language_model():
    return rough(LanguageModel(CONFIG, seeded())).eval()


def layer(rank=2, alpha=3.0, seed=0):
    """A layer (4 → 5) in float64, its update random, and a copy of it without one."""
    linear = rough(nn.Linear(4, 5)).double()
    update = LowRank(copy.deepcopy(linear), rank, alpha, seeded(seed))
    with torch.no_grad():
        update.B.copy_(normal(5, rank, seed=seed))
    return update, linear


def updated(model, layers=("qkv", "contract"), rank=2):
    """The model with updates that have learned something."""
    add_low_rank(model, layers, rank, 3.0, seeded(1))
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if name.endswith(".B"):
                parameter.copy_(normal(*parameter.shape, seed=2))
    return model


def test_the_model_begins_as_it_was_and_learns():
    model = language_model()
    before = model(IDS)
    add_low_rank(model, ["qkv", "output"], 2, 4.0, seeded())
    assert model(IDS).equal(before)
    optimizer = adamw(model, 1e-2)
    model(IDS).logsumexp(dim=-1).mean().backward()
    optimizer.step()
    assert not torch.allclose(model(IDS), before, atol=1e-4)


def test_only_the_thin_matrices_of_the_layers_named_are_trained():
    model, plain = language_model(), language_model()
    add_low_rank(model, ["qkv", "contract"], 3, 6.0, seeded())
    trained = {name: p for name, p in model.named_parameters() if p.requires_grad}
    C, M, L = CONFIG.width, CONFIG.hidden, CONFIG.layers
    # r·(in + out), for queries, keys and values (8 → 24) and the way back from M (20 → 8)
    assert sum(p.numel() for p in trained.values()) == L * 3 * ((C + 3 * C) + (M + C))
    assert {name.rpartition(".")[2] for name in trained} == {"A", "B"}
    model(IDS).square().sum().backward()
    adamw(model, 0.1).step()
    kept = {name.replace(".linear.", "."): p for name, p in model.named_parameters()}
    for name, parameter in plain.named_parameters():
        assert kept[name].equal(parameter), name


@given(ranks, st.integers(0, 1_000))
def test_it_computes_what_a_layer_with_the_sum_would(rank, seed):
    """h = W x + (α/r) B A x, equation 3 of the paper, in float64."""
    update, linear = layer(rank, 3.0, seed)
    x = normal(2, 7, 4, seed=seed).double()
    W = linear.weight + 3.0 / rank * update.B @ update.A
    torch.testing.assert_close(update(x), x @ W.T + linear.bias)
    torch.testing.assert_close(update.weight, W)
    assert torch.linalg.matrix_rank(update.weight - linear.weight, atol=1e-9) <= rank


@given(ranks, st.integers(0, 1_000))
def test_it_reaches_every_update_of_its_rank(rank, seed):
    update, linear = layer(rank)
    wanted = normal(5, rank, seed=seed).double() @ normal(rank, 4, seed=seed + 1).double()
    U, S, V = torch.linalg.svd(wanted, full_matrices=False)
    r = min(rank, 4)
    with torch.no_grad():
        update.A[:r], update.B[:, :r] = V[:r], U[:, :r] * S[:r] / update.scale
        update.A[r:], update.B[:, r:] = 0, 0
    torch.testing.assert_close(update.weight - linear.weight, wanted)


@given(ranks, st.integers(0, 1_000))
def test_its_gradients_are_full_training_s_seen_through_the_other_matrix(rank, seed):
    update, linear = layer(rank, seed=seed)
    with torch.no_grad():
        linear.weight.copy_(update.weight)
    x, y = normal(7, 4, seed=seed).double(), normal(7, 5, seed=seed + 1).double()
    for module in (update, linear):
        (module(x) - y).square().sum().backward()
    G, s = linear.weight.grad, update.scale
    torch.testing.assert_close(update.B.grad, s * G @ update.A.T)
    torch.testing.assert_close(update.A.grad, s * update.B.T @ G)


def test_a_first_step_is_full_training_s_projected_and_with_all_directions_the_same():
    x, y, rate = normal(7, 4).double(), normal(7, 5, seed=1).double(), 0.01
    for rank in (2, 4):
        update, linear = layer(rank, alpha=rank)  # s = 1
        with torch.no_grad():
            update.B.zero_()
            update.A.copy_(torch.linalg.qr(normal(4, rank, seed=3).double())[0].T)
        for module in (update, linear):
            (module(x) - y).square().sum().backward()
        before, step = linear.weight.detach(), -rate * linear.weight.grad
        assert update.A.grad.count_nonzero() == 0
        with torch.no_grad():
            update.B -= rate * update.B.grad
        moved = update.weight - before
        torch.testing.assert_close(moved, step @ update.A.T @ update.A)
        assert torch.allclose(moved, step) == (rank == 4)


def test_training_finds_the_best_update_of_its_rank():
    """What is left is what the singular values beyond r leave (Eckart and Young 1936)."""
    update, linear = layer(rank=2, alpha=2.0)
    with torch.no_grad():
        update.B.zero_()
    wanted = normal(5, 4, seed=4).double()
    values = torch.linalg.svdvals(wanted - linear.weight)
    optimizer = torch.optim.LBFGS(
        [update.A, update.B], max_iter=500, tolerance_grad=1e-10, line_search_fn="strong_wolfe"
    )

    def loss():
        optimizer.zero_grad()
        left = (update.weight - wanted).square().sum()
        left.backward()
        return left

    optimizer.step(loss)
    torch.testing.assert_close(loss(), values[2:].square().sum())


def test_merged_the_model_is_built_as_before_and_says_the_same():
    model = updated(language_model())
    before, plain = model(IDS), language_model()
    merge_low_rank(model)
    assert not torch.allclose(before, plain(IDS), atol=0.1)
    torch.testing.assert_close(model(IDS), before, atol=1e-5, rtol=1e-5)
    assert model.state_dict().keys() == plain.state_dict().keys()
    changed = {
        name
        for name, weight in model.state_dict().items()
        if not weight.equal(plain.state_dict()[name])
    }
    blocks = [f"stack.blocks.{i}" for i in range(CONFIG.layers)]
    layers = ("attention.qkv", "feed_forward.contract")
    assert changed == {f"{block}.{end}.weight" for block in blocks for end in layers}


@torch.no_grad()
def test_who_multiplies_by_the_weight_itself_sees_the_update():
    """Cross-attention takes its rows apart, and fast decoding calls torch's kernels."""
    attention = updated(rough(MultiHeadAttention(8, 2)), ["qkv"])
    x, memory = normal(2, 3, 8), normal(2, 5, 8, seed=1)
    before = attention(x, memory)
    merge_low_rank(attention)
    torch.testing.assert_close(attention(x, memory), before)
    model = updated(language_model(), ["qkv", "output", "expand", "contract"])
    torch.testing.assert_close(FusedLanguageModel(model, 3).feed(IDS), model(IDS)[:, -1])


@pytest.mark.parametrize(
    ("layers", "rank", "message"),
    [
        (["qvk"], 2, "no linear layer is called 'qvk'; there are contract, expand, output, qkv"),
        (["embedding"], 2, "no linear layer is called 'embedding'"),
        (["qkv"], 0, "rank must be at least 1, got 0"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(layers, rank, message):
    with pytest.raises(ValueError, match=message):
        add_low_rank(language_model(), layers, rank, 1.0, seeded())
