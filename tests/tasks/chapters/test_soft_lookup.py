import numpy as np
import pytest
import torch

from headway.tasks.chapters.soft_lookup.learn import TARGET, learn_mask, of_the_right_word
from headway.tasks.engine.find import find_task
from tests.full import seeds

SEEDS = seeds(3)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_mask_target_stands_between_its_baselines_with_margin(seed):
    case, both_sentences = find_task("04-soft-lookup/learn").cases(np.random.default_rng(seed))
    features = len(case.inputs[0])
    learned = of_the_right_word(learn_mask(*case.inputs).numpy(), case.truth)
    uniform = of_the_right_word(np.zeros(features), case.truth)
    one_word_for_all = torch.bincount(case.truth.targets).max() / len(case.truth.targets)
    assert learned.mean() > TARGET + 0.005
    assert learned.min() > TARGET
    assert uniform.mean() < 0.65
    assert (uniform > 0.4).all()  # nearly undecided, and so right in most cases by a hair
    assert one_word_for_all < 0.65
    learned = of_the_right_word(learn_mask(*both_sentences.inputs).numpy(), both_sentences.truth)
    assert learned.mean() > TARGET + 0.005


def test_the_votes_stay_as_they_are():
    case = find_task("04-soft-lookup/learn").cases(np.random.default_rng(0))[1]
    before = [tensor.clone() for tensor in case.inputs]
    learn_mask(*case.inputs)
    assert all(map(torch.equal, before, case.inputs))
