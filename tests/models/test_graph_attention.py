import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional

from headway.models.graph import edges_of
from headway.models.graph_attention import GraphAttention
from headway.shapes import ShapeError
from tests.nn.drawn import normal, seeded

close = {"atol": 1e-6, "rtol": 1e-5}
seeds = st.integers(0, 10_000)


def drawn_graph(n, seed, share=0.4):
    """An adjacency in which node 0 receives nothing."""
    adjacency = torch.rand(n, n, generator=seeded(seed)) < share
    adjacency[0] = False
    return adjacency


def by_the_paper(layer, x, adjacency):
    """Heads (H, n, D), node by node, with the concatenated vectors of eq. 3."""
    W = layer.values.weight.unflatten(0, (layer.heads, -1))  # (H, D, C)
    heads = x.new_zeros(layer.heads, len(x), W.shape[1])
    for k in range(layer.heads):
        h = x @ W[k].T
        a = torch.cat((layer.target[k], layer.source[k]))
        for i in range(len(x)):
            neighbors = adjacency[i].nonzero().flatten().tolist()
            if not neighbors:
                continue
            e = torch.stack([a @ torch.cat((h[i], h[j])) for j in neighbors])
            weights = torch.softmax(functional.leaky_relu(e, 0.2), dim=0)
            heads[k, i] = sum(w * h[j] for w, j in zip(weights, neighbors, strict=True))
    return heads


@given(seeds)
def test_the_layer_is_the_papers_formula(seed):
    x, adjacency = normal(5, 3, seed=seed), drawn_graph(5, seed)
    layer = GraphAttention(3, 4, 2, seeded(seed))
    expected = torch.cat(tuple(by_the_paper(layer, x, adjacency)), dim=1)
    torch.testing.assert_close(layer(x, adjacency), expected, **close)


@given(st.integers(1, 8), seeds)
def test_along_edges_and_under_the_mask_are_equal_forward_and_backward(n, seed):
    layer = GraphAttention(3, 4, 2, seeded(1)).double()
    x, adjacency = normal(2, n, 3, seed=seed).double(), drawn_graph(n, seed)
    forms = layer(x, adjacency), layer.along_edges(x, edges_of(adjacency))
    torch.testing.assert_close(*forms)
    assert forms[0].shape == (2, n, 8)
    assert not forms[0][:, 0].any()  # node 0 has no incoming edge
    weights = list(layer.parameters())
    torch.testing.assert_close(*(torch.autograd.grad(y.square().sum(), weights) for y in forms))


def test_the_same_seed_gives_the_same_weights():
    first, second = (GraphAttention(3, 4, 2, seeded(5)).state_dict() for _ in range(2))
    torch.testing.assert_close(first, second, atol=0, rtol=0)


LAYER, ALL = GraphAttention(3, 4, 2, seeded()), torch.ones(5, 5, dtype=torch.bool)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: LAYER(normal(5, 4), ALL), ShapeError, r"\(5, 4\), expected \(\.\.\., 3\)"),
        (lambda: LAYER(normal(6, 3), ALL), ShapeError, r"\(5, 5\) beside x \(6, 3\)"),
        (lambda: LAYER(normal(5, 3), ALL.float()), TypeError, "float32"),
        (lambda: LAYER.along_edges(normal(5, 3), ALL), ShapeError, r"expected \(2, E\)"),
    ],
)
def test_what_does_not_fit_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()
