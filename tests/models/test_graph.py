import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from headway.models.graph import (
    adjacency_of,
    attend_edges,
    both_ways,
    dense_max,
    dense_mean,
    dense_sum,
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
from headway.nn.masks import causal_mask
from headway.shapes import ShapeError

close = {"atol": 1e-6, "rtol": 1e-6}
PAIRS = [(pass_sum, dense_sum), (pass_mean, dense_mean), (pass_max, dense_max)]
seeds = st.integers(0, 10_000)


def normal(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


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


@given(st.integers(1, 6), st.integers(1, 6), seeds)
def test_an_edge_list_and_its_adjacency_say_the_same(T, S, seed):
    adjacency = drawn_graph(T, S, seed)
    edges = edges_of(adjacency)
    assert adjacency_of(edges, T, S).equal(adjacency)
    shuffled = edges[:, torch.randperm(edges.shape[1])]
    assert edges_of(adjacency_of(shuffled, T, S)).equal(edges)


@pytest.mark.parametrize(("along_edges", "dense"), PAIRS)
@given(T=st.integers(1, 6), S=st.integers(1, 6), seed=seeds)
def test_gather_scatter_equals_the_dense_form(along_edges, dense, T, S, seed):
    adjacency, x = drawn_graph(T, S, seed), normal(2, S, 3, seed=seed)
    expected = dense(x, adjacency)
    torch.testing.assert_close(along_edges(x, edges_of(adjacency), T), expected, **close)
    assert not expected[:, 0].any()  # receives nothing


@pytest.mark.parametrize(("along_edges", "dense"), PAIRS)
def test_gradients_of_both_forms_agree_and_are_those_of_finite_differences(along_edges, dense):
    adjacency = drawn_graph(5, 4, seed=1)
    x = normal(4, 2).double().requires_grad_()
    edges = edges_of(adjacency)
    assert torch.autograd.gradcheck(lambda x: along_edges(x, edges, 5), x)
    assert torch.autograd.gradcheck(lambda x: dense(x, adjacency), x)


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


@given(seeds)
def test_renamed_nodes_give_renamed_outputs(seed):
    n = 6
    x, edges = normal(n, 3, seed=seed), edges_of(drawn_graph(n, n, seed))
    new = torch.randperm(n, generator=torch.Generator().manual_seed(seed))  # i is now new[i]
    renamed = torch.empty_like(x)
    renamed[new] = x
    for pass_on in (pass_sum, pass_mean, pass_max, lambda x, e: attend_edges(x, x, x, e)[0]):
        torch.testing.assert_close(pass_on(renamed, new[edges])[new], pass_on(x, edges), **close)


@given(st.integers(1, 7), st.integers(1, 7), seeds)
def test_attention_is_message_passing_on_the_complete_graph(T, S, seed):
    query, key, value = normal(2, T, 4, seed=seed), normal(2, S, 4, seed=seed + 1), normal(2, S, 3)
    edges = edges_of(torch.ones(T, S, dtype=torch.bool))
    mixed, weights = attend_edges(query, key, value, edges)
    expected, matrix = attend(query, key, value)
    torch.testing.assert_close(mixed, expected, **close)
    torch.testing.assert_close(weights, matrix[:, edges[1], edges[0]], **close)


@given(st.integers(1, 7), seeds)
def test_causal_attention_is_message_passing_on_a_graph_without_cycles(T, seed):
    x = normal(2, 3, T, 4, seed=seed)  # (B, H, T, D)
    edges = edges_of(causal_mask(T))
    assert (edges[0] <= edges[1]).all()  # time orders the nodes: no way leads back
    expected = attend(x, x, x, causal_mask(T))[0]
    torch.testing.assert_close(attend_edges(x, x, x, edges)[0], expected, **close)


@given(seeds)
def test_attention_over_any_edges_is_attention_under_their_mask(seed):
    adjacency = drawn_graph(5, 6, seed)
    query, key, value = normal(5, 4), normal(6, 4, seed=1), normal(6, 3, seed=2)
    mixed, weights = attend_edges(query, key, value, edges_of(adjacency))
    expected, matrix = attend(query, key, value, adjacency)
    torch.testing.assert_close(mixed, expected, **close)
    torch.testing.assert_close(weights, matrix[adjacency], **close)
    assert not mixed[0].any()  # sees nothing


def test_gradients_of_attention_over_edges_agree_with_attend():
    adjacency = drawn_graph(5, 5, seed=3)
    gradients = []
    for form in (
        lambda x: attend(x, x, x, adjacency),
        lambda x: attend_edges(x, x, x, edges_of(adjacency)),
    ):
        x = normal(5, 4).requires_grad_()
        form(x)[0].square().sum().backward()
        gradients.append(x.grad)
    torch.testing.assert_close(*gradients, **close)


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
        (lambda: pass_sum(normal(3, 2), torch.zeros(3, 2).long()), ShapeError, r"\(3, 2\).*pairs"),
        (lambda: pass_sum(normal(3, 2), EDGES.float()), TypeError, "int64; got torch.float32"),
        (lambda: pass_sum(normal(2, 2), EDGES), IndexError, "targets must be in 0 … 1, got 1 … 2"),
        (lambda: pass_sum(normal(1, 2), EDGES, 3), IndexError, "sources.*0 … 0, got 0 … 1"),
        (lambda: pass_sum(normal(3), EDGES), ShapeError, r"\(3,\), expected \(..., S, C\)"),
        (
            lambda: pass_weighted(normal(3, 2), EDGES, normal(3)),
            ShapeError,
            r"\(3,\) and edges \(2, 2\)",
        ),
        (lambda: dense_sum(normal(3, 2), torch.ones(3, 3)), TypeError, "float32.*weights @ x"),
        (
            lambda: dense_sum(normal(3, 2), torch.ones(3, 2).bool()),
            ShapeError,
            r"\(3, 2\) beside x \(3, 2\)",
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
