import copy

import pytest
import torch
from torch.nn import functional

from headway.models.heads import (
    FillIn,
    PooledHead,
    Pooler,
    TransformedFillIn,
    WithHead,
    first_token,
    mean_of_tokens,
)
from headway.models.masked_model import MaskedModel, MaskedModelConfig
from headway.models.parts import parameter_count
from headway.nn.masks import padding_mask
from headway.shapes import ShapeError
from tests.models.weights import random_ids, redrawn
from tests.nn.drawn import normal

V, C, K = 23, 16, 5
CONFIG = MaskedModelConfig(vocabulary=V, context=12, width=C, heads=4, layers=1)
close = {"atol": 1e-5, "rtol": 1e-5}
chance = torch.Generator()
HEADS = {
    "mean": lambda model: PooledHead(C, K, chance),
    "first": lambda model: PooledHead(C, K, chance, first_token),
    "pooler": lambda model: PooledHead(C, K, chance, Pooler(C, chance)),
    "fill in": lambda model: FillIn(model.embedding),
    "transformed": lambda model: TransformedFillIn(model.embedding, chance),
}


def model():
    return redrawn(MaskedModel(CONFIG, chance))


def with_head(name):
    below = model()
    return redrawn(WithHead(below, HEADS[name](below)))


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("more", [0, 5])
def test_padding_changes_no_answer(head, more):
    whole, ids = with_head(head), random_ids(V, 2, 6 + more)
    mask = padding_mask(torch.tensor([6, 3]), 6 + more)
    answers, alone = whole(ids, mask), whole(ids[1:, :3])
    pooled = head in ("mean", "first", "pooler")
    assert answers.shape[:2] == ((2, K) if pooled else ids.shape)
    torch.testing.assert_close(answers[1:] if pooled else answers[1:, :3], alone, **close)


def test_the_mean_is_that_of_the_tokens_and_zero_where_there_is_none():
    hidden, mask = normal(3, 5, C), padding_mask(torch.tensor([5, 2, 0]), 5)
    hidden[2] = torch.nan  # whatever stands in the padding
    expected = torch.stack((hidden[0].mean(0), hidden[1, :2].mean(0), torch.zeros(C)))
    torch.testing.assert_close(mean_of_tokens(hidden, mask), expected, **close)
    torch.testing.assert_close(mean_of_tokens(hidden[:2]), hidden[:2].mean(1), **close)


def test_filling_in_scores_with_the_embedding_and_a_bias():
    below, hidden = model(), normal(2, 5, C)
    plain = redrawn(FillIn(below.embedding))
    expected = hidden @ below.embedding.weight.T + plain.bias
    torch.testing.assert_close(plain(hidden), expected, **close)
    transformed = redrawn(TransformedFillIn(below.embedding, chance))
    x = transformed.norm(functional.gelu(transformed.transform(hidden)))
    expected = x @ below.embedding.weight.T + transformed.bias
    torch.testing.assert_close(transformed(hidden), expected, **close)


def test_the_pooler_reads_the_first_token_only():
    pooler, hidden = redrawn(Pooler(C, chance)), normal(2, 5, C)
    expected = (hidden[:, 0] @ pooler.dense.weight.T + pooler.dense.bias).tanh()
    torch.testing.assert_close(pooler(hidden), expected, **close)


@pytest.mark.parametrize(("head", "more"), [("fill in", V), ("transformed", V + C * C + 3 * C)])
def test_what_is_tied_counts_once_and_stays_tied_in_a_copy(head, more):
    whole, other, ids = with_head(head), with_head(head), random_ids(V, 1, 4)
    assert parameter_count(whole) == parameter_count(whole.model) + more
    twin = copy.deepcopy(whole)
    assert twin.head.embedding is twin.model.embedding
    assert twin.model.embedding is not whole.model.embedding
    other.load_state_dict(whole.state_dict())
    assert other(ids).equal(whole(ids))


@pytest.mark.parametrize("head", HEADS)
def test_the_seed_decides_the_weights_of_a_head(head):
    below, drawn = model(), []
    for seed in (0, 0, 1):
        chance.manual_seed(seed)
        made = HEADS[head](below).parameters()
        drawn.append([w for w in made if w.dim() > 1 and w is not below.embedding.weight])
    first, again, other = drawn
    assert all(map(torch.equal, first, again))
    assert not any(map(torch.equal, first, other))
    assert all(weight.std() < 0.03 for weight in first)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: PooledHead(C, K, chance)(normal(2, 5, 8)), r"hidden has shape \(2, 5, 8\).*16"),
        (lambda: PooledHead(C, K, chance)(normal(2, C)), r"\(2, 16\).*pooled already"),
        (lambda: FillIn(model().embedding)(normal(2, 8)), r"\(2, 8\) and table \(23, 16\)"),
        (
            lambda: TransformedFillIn(model().embedding, chance)(normal(2, 8)),
            r"hidden has shape \(2, 8\)",
        ),
        (lambda: first_token(normal(2, 0, C)), r"\(2, 0, 16\)"),
        (
            lambda: mean_of_tokens(normal(2, 5, C), torch.ones(2, 5).bool()),
            r"mask \(2, 5\) and hidden \(2, 5, 16\).*padding_mask",
        ),
    ],
)
def test_what_does_not_fit_is_refused(call, message):
    with pytest.raises(ShapeError, match=message):
        call()
