import numpy as np
import pytest

from headway.tasks.chapters.one_hot.prices import TARGET, predict_by_code, predict_by_one_hot, rmse
from headway.tasks.engine.find import find_task
from headway.text.categories import SPREAD
from tests.full import seeds

SEEDS = seeds(3)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_price_target_stands_between_its_baselines_with_margin(seed):
    case = find_task("01-one-hot/by-one-hot").cases(np.random.default_rng(seed))[0]
    reached = rmse(predict_by_one_hot(*case.inputs), case)
    by_code = rmse(predict_by_code(*case.inputs), case)
    by_mean = rmse(np.full(len(case.truth), np.mean(case.inputs[1])), case)
    assert reached < 0.9 * TARGET
    assert min(by_code, by_mean) > 2 * TARGET
    assert 0.8 * SPREAD < reached < 1.2 * SPREAD


def test_no_draw_lets_a_mistake_with_pairs_pass_as_right():
    task = find_task("01-one-hot/pairs")
    mistakes = ("transposed", "counts-ignored", "pair-missing")
    wrong = [w for m in task.misconceptions if m.name in mistakes for w in m.answers]
    for seed in range(300):
        ids, size = task.cases(np.random.default_rng(seed))[0].inputs
        right = task.reference(ids, size)
        assert not any(np.array_equal(answer(ids, size), right) for answer in wrong)
