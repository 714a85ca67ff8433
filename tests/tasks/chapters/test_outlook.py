"""What the tasks of assignment 16 owe beyond what all tasks do."""

import math
from fractions import Fraction

import numpy as np
import pytest
import torch

from headway.inference.cost import (
    attention_crossover,
    block_flops,
    layer_crossover,
    score_bytes,
)
from headway.models.graph import adjacency_of, attend_edges, both_ways, edges_of, pass_sum
from headway.models.towns import draw_rules, draw_town
from headway.nn.attention import attend
from headway.nn.masks import causal_mask
from headway.nn.sparse_masks import block_mask
from headway.tasks.chapters.outlook.block_sparse import block_sparse
from headway.tasks.chapters.outlook.cost import cost
from headway.tasks.chapters.outlook.graph_attention import graph_attention
from headway.tasks.chapters.outlook.market import LINES, pooled
from headway.tasks.chapters.outlook.nodes import (
    RIGHT,
    TARGET,
    cases,
    examine,
    learn_trades,
    nodes_task,
    trained,
)
from headway.tasks.chapters.outlook.predict import (
    HOURS,
    TOLD,
    crossing,
    friends,
    memory,
)
from headway.tasks.chapters.outlook.predict import (
    LINES as NOTED,
)
from headway.tasks.chapters.outlook.recurrent import masked, recurrent
from headway.tasks.chapters.outlook.repair import given_repair, repair
from tests.full import seeds

SEEDS = seeds(1)
FEWER = SEEDS[:5]  # for what fails, and takes as long
HANDED_OUT = {"lines": LINES[0], "neighbors": "both together", "pool": "sum", "rounds": 1}
FAILING = {  # what training shows in the first town
    "directions-lost": RIGHT | {"neighbors": "both together"},
    "one-side-only": RIGHT | {"neighbors": "receivers", "rounds": 2},
    "too-few-rounds": RIGHT | {"rounds": 1},
}


def told(answer, case):
    """The mistake that an answer shows in a case."""
    return next(m.name for m in nodes_task.misconceptions if m.shows(answer, None, case))


@pytest.mark.full
@pytest.mark.parametrize("seed", SEEDS)
def test_means_of_both_sides_apart_reach_the_target_with_margin(seed):
    torch.manual_seed(seed)
    for case in cases(np.random.default_rng(seed)):
        assert examine(trained(*case.inputs), case).accuracy > TARGET + 0.01


@pytest.mark.full
@pytest.mark.parametrize("seed", FEWER)
@pytest.mark.parametrize("name", FAILING)
def test_other_arrangements_miss_the_target(name, seed):
    torch.manual_seed(seed)
    case = cases(np.random.default_rng(seed))[0]
    answer = trained(*case.inputs, arrangement=FAILING[name])
    assert examine(answer, case).accuracy < TARGET - 0.02
    assert told(answer, case) == name


@pytest.mark.full
@pytest.mark.parametrize("seed", FEWER)
def test_every_line_is_enough_only_where_each_pair_has_one(seed):
    one, many = cases(np.random.default_rng(seed))
    torch.manual_seed(seed)
    once, often = (trained(*case.inputs, RIGHT | {"lines": LINES[0]}) for case in (one, many))
    assert examine(once, one).accuracy >= TARGET
    assert examine(often, many).accuracy < TARGET - 0.05
    assert told(often, many) == "repeat-counted-twice"


def test_the_baselines_are_far_from_the_target_and_weights_by_hand_reach_it():
    torch.manual_seed(0)
    for case in cases(np.random.default_rng(0)):
        truth = case.truth
        known = torch.nn.functional.one_hot(case.inputs[2]).float()
        belongs = (known.T @ case.inputs[0]).argmax(dim=0)
        assert truth.trades.bincount().max() / len(truth.trades) < 0.3
        assert (belongs[truth.signs.argmax(1)] == truth.trades).float().mean() < 0.55
        handed_out = trained(*case.inputs, arrangement=HANDED_OUT)
        assert examine(handed_out, case).accuracy < 0.65
        assert examine(learn_trades(*case.inputs), case).accuracy > TARGET + 0.015


def test_a_linear_model_of_the_mean_sign_of_the_neighbors_is_worse_than_the_sign():
    rng = np.random.default_rng(0)
    rules = draw_rules(rng)
    town, new = (draw_town(rng, rules, 1500) for _ in range(2))

    def means(some):
        ends = torch.cat([some.edges, some.edges.flip(0)], dim=1)
        return torch.cat([pooled(some.signs, *ends, "mean"), torch.ones(1500, 1)], dim=1)

    known = torch.nn.functional.one_hot(town.trades).float()
    weights = torch.linalg.lstsq(means(town), known).solution
    assert 0.25 < ((means(new) @ weights).argmax(1) == new.trades).float().mean() < 0.48


def test_what_friends_tell_is_what_messages_along_the_edges_give():
    names = list(HOURS)
    pairs = torch.tensor([[names.index(a), names.index(b)] for a, b, _ in NOTED]).T
    x = torch.tensor([[float(HOURS[name])] for name in names])
    edges = both_ways(pairs)
    assert pass_sum(x, edges)[names.index("Mia")] == friends.reference[0]
    assert {names[s] for s in edges[0, edges[1] == names.index("Mia")]} == set(TOLD)
    reached, heard = torch.eye(len(names))[names.index("Kai")], 0
    while not reached[names.index("Uma")]:
        reached = (adjacency_of(edges, len(names)).float() @ reached > 0).float() + reached
        heard += 1
    assert heard == friends.reference[4]


def test_the_crossings_are_those_of_the_cost_model():
    attention = attention_crossover(512, 8, 2)
    flops = block_flops(1, 1, 512, 1536, 8, 2, gated=True)
    layer = Fraction(flops.projections + flops.feed_forward, flops.scores + flops.mixing)
    assert crossing.reference == [attention, layer, 2 * layer]
    assert layer != layer_crossover(512, 1536, 8, 2)


def test_the_bytes_are_those_of_the_cost_model():
    one, all_layers, longer, window, _ = memory.reference
    assert one == score_bytes(3, 12, 4000, 4000, 2) / 1e6
    assert all_layers == 10 * one
    assert score_bytes(3, 12, longer, longer, 2) == 4e6 * one
    assert window == score_bytes(3, 12, 4000, 250, 2) / 1e6


def test_attention_along_all_edges_is_attention_and_that_of_the_course():
    draw = torch.Generator().manual_seed(0)
    q, k, v = (torch.randn(2, 5, 3, generator=draw) for _ in range(3))
    everybody = edges_of(torch.ones(5, 5, dtype=torch.bool))
    torch.testing.assert_close(graph_attention(q, k, v, everybody), attend(q, k, v)[0])
    some = everybody[:, torch.rand(25, generator=draw) < 0.4]
    torch.testing.assert_close(graph_attention(q, k, v, some), attend_edges(q, k, v, some)[0])


def test_a_mask_without_pairs_is_the_block_mask_of_the_course():
    assert torch.equal(block_sparse(11, 4, []), block_mask(4, 11))
    assert torch.equal(block_sparse(8, 2, [(3, 0)], True) & ~block_mask(2, 8), torch.cat(
        [torch.zeros(6, 8), torch.tensor([[1.0, 1, 0, 0, 0, 0, 0, 0]] * 2)]
    ).bool())  # fmt: skip
    assert torch.equal(block_sparse(7, 7, [], True), causal_mask(7))


def test_the_cost_of_all_pairs_is_that_of_the_course():
    flops, held = cost(20, 24, 50, 3)
    assert flops == sum(block_flops(20, 20, 24, 50, 3))
    assert held == score_bytes(1, 3, 20, 20)


def test_the_fault_is_invisible_where_every_edge_has_a_way_back_as_strong():
    draw = torch.Generator().manual_seed(0)
    x, own, others = (torch.randn(4, 4, generator=draw) for _ in range(3))
    edges = edges_of(~torch.eye(4, dtype=torch.bool))
    ends = edges.sum(0) + edges.prod(0)
    same = given_repair(x, edges, 1.0 + ends, own, others)
    torch.testing.assert_close(same, repair(x, edges, 1.0 + ends, own, others))
    strength = torch.rand(edges.shape[1], generator=draw)
    moved = given_repair(x, edges, strength, own, others) - repair(x, edges, strength, own, others)
    assert moved.abs().max() > 0.05


@pytest.mark.parametrize("cut", [1, 4])
def test_a_text_in_parts_gives_what_it_gives_at_once_and_what_the_table_gives(cut):
    draw = torch.Generator().manual_seed(0)
    q, k, v = (torch.randn(2, 3, 7, 4, generator=draw) for _ in range(3))
    fade = torch.tensor([0.5, 0.9, 1.0])
    first, *state = recurrent(q[:, :, :cut], k[:, :, :cut], v[:, :, :cut], fade)
    second, *_ = recurrent(q[:, :, cut:], k[:, :, cut:], v[:, :, cut:], fade, state)
    whole = recurrent(q, k, v, fade)[0]
    torch.testing.assert_close(torch.cat([first, second], dim=2), whole)
    torch.testing.assert_close(whole, masked(q, k, v, fade))


def test_the_examples_of_the_notebook_are_right():
    q, v = torch.ones(1, 1, 1), torch.tensor([[[8.0], [4.0], [9.0]]])
    k = torch.tensor([[[0.0], [math.log(3)], [5.0]]])
    mixed = graph_attention(q, k, v, torch.tensor([[0, 1, 1], [0, 0, 0]]))
    assert mixed.item() == pytest.approx(5)
    assert block_sparse(5, 2, [(2, 0)])[4].tolist() == [True, True, False, False, True]
    assert block_sparse(5, 2, [(2, 0)], True)[0].tolist() == [True] + 4 * [False]
    assert cost(3, 4, 8, 2, "window", 2) == (384 + 384 + 80, 40)
    assert cost(3, 4, 8, 2, "linear") == (384 + 384 + 96, 32)
    still, values = torch.zeros(1, 1, 2, 1), torch.tensor([[[[4.0], [10.0]]]])
    mixed, U, z = recurrent(still, still, values, torch.tensor([0.5]))
    assert (mixed.flatten().tolist(), U.item(), z.item()) == ([4, 8], 12, 1.5)
