import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from headway.models.graph import (
    adjacency_of,
    attend_edges,
    both_ways,
    distinct_edges,
    edges_of,
    pass_max,
    pass_mean,
    pass_sum,
    pass_weighted,
    softmax_over_incoming,
    with_self_loops,
)
from headway.nn.attention import attend
from headway.shapes import ShapeError
from tests.nn.drawn import normal

close = {"atol": 1e-6, "rtol": 1e-6}
seeds = st.integers(0, 10_000)


def dense_sum(x, adjacency):
    return adjacency.to(x.dtype) @ x


def dense_mean(x, adjacency):
    return dense_sum(x, adjacency) / adjacency.sum(dim=-1, keepdim=True).clamp(min=1)


def dense_max(x, adjacency):
    messages = x.unsqueeze(-3).masked_fill(~adjacency[..., None], -torch.inf)  # (..., T, S, C)
    return messages.amax(dim=-2).masked_fill(~adjacency.any(dim=-1, keepdim=True), 0.0)


PAIRS = [(pass_sum, dense_sum), (pass_mean, dense_mean), (pass_max, dense_max)]


def drawn_graph(T, S, seed, share=0.4):
    """An adjacency; some nodes receive nothing."""
    adjacency = torch.rand(T, S, generator=torch.Generator().manual_seed(seed)) < share
    adjacency[0] = False
    return adjacency


def test_messages_flow_from_the_source_to_the_target():
    x = torch.tensor([[1.0], [10.0], [100.0]])
    edges = torch.tensor([[0, 1, 1], [2, 2, 0]])  # 0 → 2, 1 → 2, 1 → 0
    assert pass_sum(x, edges).flatten().tolist() == [10, 0, 11]
    assert pass_mean(x, edges).flatten().tolist() == [10, 0, 5.5]
    assert pass_max(-x, edges).flatten().tolist() == [-10, 0, -1]
    weights = torch.tensor([2.0, 3.0, 0.5])
    assert pass_weighted(x, edges, weights).flatten().tolist() == [5, 0, 32]


@pytest.mark.parametrize(("along_edges", "dense"), PAIRS)
@given(T=st.integers(1, 6), S=st.integers(1, 6), seed=seeds)
def test_gather_scatter_equals_the_dense_form_forward_and_backward(along_edges, dense, T, S, seed):
    adjacency, x = drawn_graph(T, S, seed), normal(2, S, 3, seed=seed).requires_grad_()
    edges = edges_of(adjacency)
    assert adjacency_of(edges[:, torch.randperm(edges.shape[1])], T, S).equal(adjacency)
    forms = along_edges(x, edges, T), dense(x, adjacency)
    torch.testing.assert_close(*forms, **close)
    assert not forms[0][:, 0].any()  # receives nothing
    gradients = [torch.autograd.grad(form.square().sum(), x)[0] for form in forms]
    torch.testing.assert_close(*gradients, atol=1e-5, rtol=1e-5)


@given(seeds)
def test_a_weighted_sum_is_a_product_with_the_matrix_of_weights(seed):
    adjacency, x = drawn_graph(5, 4, seed), normal(3, 4, 2, seed=seed)
    edges = edges_of(adjacency)
    weights = normal(edges.shape[1], seed=seed + 1)
    matrix = torch.zeros(5, 4)
    matrix[edges[1], edges[0]] = weights
    torch.testing.assert_close(pass_weighted(x, edges, weights, 5), matrix @ x, **close)


def test_an_edge_that_is_listed_twice_counts_twice_until_it_is_listed_once():
    x = torch.tensor([[1.0], [4.0], [0.0]])
    edges = torch.tensor([[0, 0, 1], [2, 2, 2]])
    assert pass_sum(x, edges)[2] == 6
    assert pass_mean(x, edges)[2] == 2
    assert pass_max(x, edges)[2] == 4
    assert pass_sum(x, distinct_edges(edges))[2] == 5
    assert dense_sum(x, adjacency_of(edges, 3))[2] == 5
    equal_scores = softmax_over_incoming(torch.zeros(3), edges[1], 3)
    torch.testing.assert_close(equal_scores, torch.full((3,), 1 / 3))


def test_both_ways_is_symmetric_and_self_loops_are_there_once():
    edges = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 2]])
    undirected = both_ways(edges)
    assert undirected.shape[1] == 5
    assert adjacency_of(undirected, 4).equal(adjacency_of(undirected, 4).T)
    looped = with_self_loops(undirected, 4)
    assert looped.shape[1] == 4 + 4
    assert adjacency_of(looped, 4).diagonal().all()
    assert looped.shape == distinct_edges(looped).shape


@given(st.sampled_from([(), (2, 3)]), st.sampled_from([0.4, 1.1]), seeds)
def test_attention_over_any_edges_is_attention_under_their_mask(batch, share, seed):
    adjacency = drawn_graph(5, 6, seed, share)
    edges = edges_of(adjacency)
    query, key = normal(*batch, 5, 4).requires_grad_(), normal(*batch, 6, 4, seed=1)
    value = normal(*batch, 6, 3, seed=2)
    forms = attend_edges(query, key, value, edges), attend(query, key, value, adjacency)
    (mixed, weights), (expected, matrix) = forms
    torch.testing.assert_close(mixed, expected, **close)
    torch.testing.assert_close(weights, matrix[..., edges[1], edges[0]], **close)
    assert not mixed[..., 0, :].any()  # sees nothing
    gradients = [torch.autograd.grad(form[0].square().sum(), query)[0] for form in forms]
    torch.testing.assert_close(*gradients, atol=1e-5, rtol=1e-5)


def test_large_scores_do_not_overflow_and_weights_into_a_node_sum_to_one():
    targets = torch.tensor([0, 0, 1, 1])
    scores = torch.tensor([1e4, 1e4, -1e4, 0.0])
    weights = softmax_over_incoming(scores, targets, 3)
    assert weights.tolist() == [0.5, 0.5, 0, 1]


def test_a_graph_without_edges_gives_zeros():
    none = torch.empty(2, 0, dtype=torch.int64)
    for pass_on in (pass_sum, pass_mean, pass_max):
        assert not pass_on(normal(3, 2), none).any()
    assert not attend_edges(normal(3, 2), normal(3, 2), normal(3, 2), none)[0].any()


EDGES = torch.tensor([[0, 1], [1, 2]])


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: pass_sum(normal(3, 2), EDGES[0]), ShapeError, r"\(2,\), expected \(2, E\)"),
        (lambda: pass_sum(normal(3, 2), EDGES.float()), TypeError, "int64; got torch.float32"),
        (lambda: pass_sum(normal(2, 2), EDGES), IndexError, "targets must be in 0 … 1, got 1 … 2"),
        (lambda: pass_sum(normal(3), EDGES), ShapeError, r"\(3,\), expected \(..., S, C\)"),
        (
            lambda: pass_weighted(normal(3, 2), EDGES, normal(3)),
            ShapeError,
            r"\(3,\) and edges \(2, 2\)",
        ),
        (lambda: edges_of(EDGES), TypeError, "torch.int64, expected torch.bool"),
        (
            lambda: attend_edges(normal(3, 2), normal(3, 4), normal(3, 2), EDGES),
            ShapeError,
            r"\(3, 2\) and key \(3, 4\)",
        ),
    ],
)
def test_what_is_no_graph_is_refused(make, error, message):
    with pytest.raises(error, match=message):
        make()
