import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from headway.nn.embedding import Embedding, RootWidthScale, embed, embed_by_product, unembed
from headway.nn.position import SinusoidalPosition
from headway.shapes import ShapeError

SIZE = 7
batches = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)
ids_of_any_shape = hnp.arrays(np.int64, batches, elements=st.integers(0, SIZE - 1))


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


@given(ids_of_any_shape, st.integers(1, 9))
def test_the_lookup_is_the_one_hot_product_to_the_last_bit(ids, width):
    ids, table = torch.from_numpy(ids), torch.randn(SIZE, width, generator=seeded())
    assert embed(ids, table).shape == (*ids.shape, width)
    assert torch.equal(embed(ids, table), embed_by_product(ids, table))


@given(ids_of_any_shape)
def test_both_ways_have_the_same_gradient(ids):
    ids, table = torch.from_numpy(ids), torch.randn(SIZE, 3, generator=seeded())
    gradients = []
    for way in (embed, embed_by_product):
        weights = table.clone().requires_grad_()
        way(ids, weights).square().sum().backward()
        gradients.append(weights.grad)
    torch.testing.assert_close(*gradients)


def test_embedding_and_unembedding_agree_with_torch():
    ours, theirs = Embedding(SIZE, 4, seeded()), torch.nn.Embedding(SIZE, 4)
    theirs.load_state_dict(ours.state_dict())
    ids = torch.tensor([[0, 6], [3, 3]])
    assert torch.equal(ours(ids), theirs(ids))
    head = torch.nn.Linear(4, SIZE, bias=False)
    head.weight = theirs.weight
    torch.testing.assert_close(ours.unembed(ours(ids)), head(theirs(ids)))


def test_the_tied_scores_of_a_word_are_its_dot_products_with_all_words():
    embedding = Embedding(SIZE, 4, seeded())
    scores = embedding.unembed(embedding(torch.tensor(2)))
    expected = torch.stack([embedding.weight[2] @ embedding.weight[v] for v in range(SIZE)])
    torch.testing.assert_close(scores, expected)


def test_tied_weights_are_one_parameter_with_a_gradient_from_both_ends():
    embedding = Embedding(SIZE, 4, seeded())
    assert sum(p.numel() for p in embedding.parameters()) == SIZE * 4
    embedding.unembed(embedding(torch.tensor([1]))).exp().sum().backward()
    assert (embedding.weight.grad.abs().sum(dim=1) > 0).all()


def test_the_generator_alone_decides_the_start():
    first, again, other = (Embedding(SIZE, 4, seeded(seed)).weight for seed in (3, 3, 4))
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


def test_the_name_under_which_released_notebooks_unembed_stays():
    embedding = Embedding(SIZE, 4, seeded())
    hidden = embedding(torch.tensor([1, 2]))
    assert torch.equal(embedding.deembed(hidden), embedding.unembed(hidden))


def test_tied_logits_start_near_ln_v():
    embedding = Embedding(1_000, 64, seeded())
    ids = torch.arange(100)
    loss = torch.nn.functional.cross_entropy(embedding.unembed(embedding(ids)), ids)
    assert loss.item() == pytest.approx(np.log(1_000), abs=0.05)


def test_the_scale_is_the_root_of_the_width_and_stands_before_the_positions():
    embedding, x = Embedding(SIZE, 16, seeded()), torch.tensor([[1, 5, 5]])
    start = torch.nn.Sequential(embedding, RootWidthScale(16), SinusoidalPosition(9, 16))
    expected = 4.0 * embedding(x) + SinusoidalPosition(9, 16).table[:3]
    torch.testing.assert_close(start(x), expected)


@pytest.mark.parametrize("wrong", [SIZE, -1])
def test_an_id_outside_the_table_names_the_ids_and_the_table(wrong):
    with pytest.raises(IndexError, match=r"0 … 6 for a table \(7, 4\)"):
        Embedding(SIZE, 4, seeded())(torch.tensor([0, wrong]))


def test_vectors_for_ids_are_refused():
    with pytest.raises(TypeError, match=r"got torch\.float32"):
        embed(torch.zeros(2, 3), torch.zeros(SIZE, 4))


def test_a_transposed_table_is_refused_with_both_shapes():
    with pytest.raises(ShapeError, match=r"\(2, 4\).*\(4, 7\).*transposed"):
        unembed(torch.zeros(2, 4), torch.zeros(4, SIZE))
