import numpy as np
import pytest
import torch

from headway.nn.position import RotaryPosition, frequencies
from headway.tasks.chapters.many_heads.by_roles import explained
from headway.tasks.chapters.many_heads.learn import TARGET, trained, unexplained
from headway.tasks.chapters.many_heads.r_squared import r_squared
from headway.tasks.chapters.many_heads.rotary import rotary_scores
from headway.tasks.engine.find import find_task
from headway.tasks.engine.judge import judge
from tests.full import seeds

SEEDS = seeds(3)


def test_an_exception_that_is_returned_is_no_exception_that_is_raised():
    task = find_task("09-many-heads/split")

    def returning_an_error(qkv, heads):
        if qkv.shape[-1] // 3 % heads:
            return ValueError("the width does not divide")
        return task.reference(qkv, heads)

    verdict = judge(task, returning_an_error)
    assert verdict.misconception.name == "width-not-checked"
    assert verdict.reason.endswith("returns a value; expected that it raises ValueError.")
    assert [passed for _, passed in verdict.cases].count(False) == 1


def test_a_view_that_torch_refuses_is_told_without_the_advice_that_would_mend_it():
    task = find_task("09-many-heads/repair")
    (refused,) = (each for each in task.misconceptions if each.name == "view-refused")
    verdict = judge(task, refused.wrong[0])
    assert "view size is not compatible" in verdict.reason
    assert "reshape" not in verdict.reason
    assert "a view cannot follow it" in verdict.reason


def test_the_scores_asked_for_are_those_of_the_package_and_know_the_distance_alone():
    speeds = frequencies(6).float()
    turn = RotaryPosition(20, speeds)
    query, key = torch.randn(2, 2, 5, 6, generator=torch.Generator().manual_seed(1))
    place = torch.arange(5)
    scores = rotary_scores(query, key, place, place + 9, speeds)
    torch.testing.assert_close(scores, turn(query) @ turn(key, 9).mT, atol=1e-5, rtol=1e-5)
    moved = rotary_scores(query, key, place + 7, place + 16, speeds)
    torch.testing.assert_close(scores, moved, atol=1e-5, rtol=1e-5)


@pytest.mark.full
@pytest.mark.parametrize("seed", SEEDS)
def test_two_heads_reach_the_target_and_one_head_does_not(seed):
    torch.manual_seed(seed)
    for case in find_task("09-many-heads/learn").cases(np.random.default_rng(seed))[:2]:
        two, one = (1 - unexplained(trained(*case.inputs, heads=h), case) for h in (2, 1))
        assert two > 0.999
        assert one < 0.6 < TARGET
        mean = case.inputs[1].mean(0).expand(len(case.truth), -1)
        assert abs(unexplained(mean, case) - 1) < 0.02


@pytest.mark.parametrize("seed", SEEDS)
def test_the_bound_is_what_least_squares_reach_on_drawn_vectors(seed):
    """Many Gaussian vectors, mixed by the weights of a case; the best matrix is fitted to them."""
    rng = np.random.default_rng(seed)
    task = find_task("09-many-heads/bound")
    for case in task.cases(rng):
        weights, wanted = case.inputs
        vectors = rng.normal(size=(20_000, weights.shape[1]))
        mixtures, target = vectors @ weights.T, vectors[:, list(wanted)]
        fitted = mixtures @ np.linalg.lstsq(mixtures, target, rcond=1e-6)[0]
        reached = r_squared(torch.from_numpy(fitted), torch.from_numpy(target))
        assert reached == pytest.approx(task.reference(weights, wanted), abs=0.02)


def test_what_weights_by_hand_explain_is_what_drawn_vectors_show():
    rng = np.random.default_rng(0)
    scores, W_O = rng.normal(size=(2, 5)), rng.normal(size=(2 * 3, 2 * 3)) / 2
    vectors = rng.normal(size=(50_000, 5, 3))
    weights = np.exp(scores) / np.exp(scores).sum(1, keepdims=True)
    mixed = np.einsum("hr,nre->nhe", weights, vectors).reshape(-1, 6) @ W_O
    target = vectors[:, [4, 1]].reshape(-1, 6)
    shown = r_squared(torch.from_numpy(mixed), torch.from_numpy(target))
    assert explained(scores, W_O, (4, 1)) == pytest.approx(shown, abs=0.01)
