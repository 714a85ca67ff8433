import pytest
import torch
from torch.nn import functional
from transformers import MixtralConfig, Qwen3MoeConfig
from transformers.models.mixtral.modeling_mixtral import (
    MixtralSparseMoeBlock,
    load_balancing_loss_func,
)
from transformers.models.qwen3_moe.modeling_qwen3_moe import Qwen3MoeSparseMoeBlock

from headway.nn.experts import (
    MixtureOfExperts,
    balancing_loss,
    choose,
    expert_counts,
    watch_routers,
)
from headway.nn.feed_forward import GatedFeedForward
from headway.shapes import ShapeError
from tests.nn.drawn import normal, rough

C, M, E = 12, 20, 5
close = {"atol": 1e-5, "rtol": 1e-5}


def test_each_token_gets_the_weighted_sum_of_the_experts_with_its_largest_scores():
    mixture, x = rough(MixtureOfExperts(C, M, E, 2)).double(), normal(2, 7, C).double()
    token = x[1, 3]
    first, second = (mixture.router.weight @ token).argsort(descending=True)[:2].tolist()
    scores = mixture.router.weight @ token
    share = torch.sigmoid(scores[first] - scores[second])  # a softmax over two
    expected = share * mixture.experts[first](token)
    expected = expected + (1 - share) * mixture.experts[second](token)
    torch.testing.assert_close(mixture(x)[1, 3], expected, atol=1e-12, rtol=0)


@pytest.mark.parametrize("renormalized", [True, False])
def test_one_expert_is_a_gated_feed_forward_exactly(renormalized):
    mixture, x = rough(MixtureOfExperts(C, M, 1, 1, renormalized=renormalized)), normal(2, 7, C)
    assert isinstance(mixture.experts[0], GatedFeedForward)
    assert mixture(x).equal(mixture.experts[0](x))


@pytest.mark.parametrize("renormalized", [True, False])
def test_all_experts_are_the_dense_soft_mixture(renormalized):
    mixture, x = rough(MixtureOfExperts(C, M, E, E, renormalized=renormalized)), normal(2, 7, C)
    weights = mixture.router(x).softmax(dim=-1)
    dense = sum(weights[..., e, None] * mixture.experts[e](x) for e in range(E))
    torch.testing.assert_close(mixture(x), dense, **close)


def test_equal_experts_are_one_network_whatever_the_router_says():
    mixture, x = rough(MixtureOfExperts(C, M, E, 2)), normal(2, 7, C)
    for expert in mixture.experts:
        expert.load_state_dict(mixture.experts[0].state_dict())
    torch.testing.assert_close(mixture(x), mixture.experts[0](x), **close)


def test_only_the_chosen_experts_run_and_each_for_its_tokens_only():
    mixture, x = rough(MixtureOfExperts(C, M, E, 2)), normal(1, 2, C)
    seen = []
    for expert in mixture.experts:
        expert.register_forward_hook(lambda expert, given, made: seen.append(len(given[0])))
    with watch_routers(mixture) as scores:
        mixture(x)
    counts = expert_counts(scores[0], 2)
    assert seen == [count for count in counts.tolist() if count]
    assert sum(seen) == 2 * 2
    assert len(seen) < E


def test_a_token_gets_the_same_alone_as_among_others():
    mixture, x = rough(MixtureOfExperts(C, M, E, 2)), normal(4, 6, C)
    torch.testing.assert_close(mixture(x)[2, 5], mixture(x[2, 5]), **close)


@pytest.mark.parametrize("k", [1, 2, E])
def test_a_softmax_of_the_chosen_is_that_of_all_divided_by_its_sum(k):
    scores = 3 * normal(50, E)
    weights, chosen = choose(scores, k)
    shares, same = choose(scores, k, renormalized=False)
    assert chosen.equal(same)
    assert chosen.equal(scores.argsort(dim=-1, descending=True)[:, :k])
    torch.testing.assert_close(weights, shares / shares.sum(dim=-1, keepdim=True), **close)
    if k == E:
        torch.testing.assert_close(weights, shares, **close)
    else:
        assert (shares.sum(dim=-1) < 1).all()


def test_of_one_renormalized_expert_the_router_learns_nothing():
    for renormalized, learns in ((True, False), (False, True)):
        mixture = rough(MixtureOfExperts(C, M, E, 1, renormalized=renormalized))
        mixture(normal(2, 7, C)).square().sum().backward()
        assert bool(mixture.router.weight.grad.any()) == learns


def test_balance_costs_k_where_all_have_the_same_share_and_e_where_one_has_all():
    even = torch.eye(E).repeat(4, 1)
    assert balancing_loss(even, 1).item() == pytest.approx(1)
    for k in (1, 2):
        certain = torch.zeros(10, E)
        certain[:, 3] = 1e3
        assert balancing_loss(certain, k).item() == pytest.approx(E)
    assert balancing_loss(normal(50, E), E).item() == pytest.approx(E)  # no choice, no loss


def test_the_slope_of_the_balancing_loss_makes_what_is_often_chosen_less_likely():
    scores = (normal(200, E) + torch.tensor([2.0, 0, 0, 0, 0])).requires_grad_()
    assert expert_counts(scores, 1).argmax() == 0
    balancing_loss(scores, 1).backward()
    slopes = scores.grad.sum(dim=0)
    assert slopes[0] > 0
    assert (slopes[1:] < 0).all()


def test_counts_add_up_to_k_for_each_token():
    counts = expert_counts(normal(40, E), 3)
    assert counts.shape == (E,)
    assert counts.sum() == 40 * 3
    assert (counts <= 40).all()


def test_routers_are_watched_within_the_context_only_and_with_gradients():
    mixture, x = rough(MixtureOfExperts(C, M, E, 2)), normal(2, 7, C)
    with watch_routers(mixture) as scores:
        mixture(x)
        mixture(x[:1])
    mixture(x)
    assert [len(each) for each in scores] == [14, 7]
    balancing_loss(scores[0], 2).backward()
    assert mixture.router.weight.grad.any()
    assert mixture.experts[0].expand.weight.grad is None


def their_mixtral():
    sizes = {"hidden_size": C, "intermediate_size": M, "num_local_experts": E}
    return MixtralSparseMoeBlock(MixtralConfig(**sizes, num_experts_per_tok=2)), True


def their_qwen(renormalized):
    sizes = {"hidden_size": C, "moe_intermediate_size": M, "num_experts": E}
    config = Qwen3MoeConfig(**sizes, num_experts_per_tok=2, norm_topk_prob=renormalized)
    return Qwen3MoeSparseMoeBlock(config), renormalized


@pytest.mark.parametrize(
    "made", [their_mixtral, lambda: their_qwen(True), lambda: their_qwen(False)]
)
def test_it_is_the_block_of_transformers_on_the_same_weights(made):
    theirs, renormalized = made()
    rough(theirs)
    ours, x = MixtureOfExperts(C, M, E, 2, renormalized=renormalized), normal(3, 9, C)
    with torch.no_grad():
        ours.router.weight.copy_(theirs.gate.weight)
        for e, expert in enumerate(ours.experts):
            expert.expand.weight.copy_(theirs.experts.gate_up_proj[e])
            expert.contract.weight.copy_(theirs.experts.down_proj[e])
        torch.testing.assert_close(ours(x), theirs(x), **close)


@pytest.mark.parametrize("k", [1, 2])
def test_the_balancing_loss_is_that_of_transformers(k):
    scores = 2 * normal(60, E)
    theirs = load_balancing_loss_func((scores,), E, k)
    torch.testing.assert_close(balancing_loss(scores, k), theirs, **close)


def test_half_precision_keeps_its_type():
    mixture = rough(MixtureOfExperts(C, M, E, 2)).bfloat16()
    assert mixture(normal(2, 7, C).bfloat16()).dtype == torch.bfloat16


def test_the_activation_and_biases_are_those_of_the_experts():
    mixture = MixtureOfExperts(C, M, E, 2, functional.gelu, bias=True)
    assert mixture.experts[0].activation is functional.gelu
    assert mixture.experts[4].contract.bias is not None
    assert mixture.router.bias is None


@pytest.mark.parametrize(("experts", "active"), [(2, 8), (4, 0)])
def test_more_active_experts_than_there_are_or_none_are_refused(experts, active):
    with pytest.raises(ValueError, match=f"got {active} of {experts}"):
        MixtureOfExperts(C, M, experts, active)
    with pytest.raises(ValueError, match="the other way around"):
        choose(torch.zeros(3, experts), active)


def test_other_shapes_are_refused():
    with pytest.raises(ShapeError, match=r"expected \(\.\.\., 12\)"):
        MixtureOfExperts(C, M, E, 2)(torch.zeros(2, 3, C - 1))
    with pytest.raises(ShapeError, match=r"must be \(N, E\)"):
        balancing_loss(torch.zeros(2, 3, E), 2)
