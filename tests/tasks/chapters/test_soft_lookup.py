import numpy as np
import pytest
import torch

from headway.tasks.chapters.soft_lookup.learn import (
    TARGET,
    learn_mask,
    of_the_right_word,
)
from headway.tasks.engine.find import find_task
from headway.tasks.engine.mistakes import changed
from tests.full import seeds

SEEDS = seeds(3)
(believing,) = changed(
    learn_mask,
    "-p.gather(1, targets[:, None]).mean()",
    "-p.gather(1, targets[:, None]).log().mean()",
)


def cases(seed):
    return find_task("04-soft-lookup/learn").cases(np.random.default_rng(seed))


@pytest.mark.parametrize("seed", SEEDS)
def test_who_believes_the_slips_or_the_loudest_votes_stays_below_the_target(seed):
    slipped, case, *_ = cases(seed)
    believed, loudest = (of(*slipped.inputs).numpy() for of in (believing, surest))
    for scores in (believed, loudest):
        assert of_the_right_word(scores, slipped.truth).mean() < TARGET - 0.02
    believed = believing(*case.inputs).numpy()
    assert of_the_right_word(believed, case.truth).mean() > TARGET  # where there are no slips


def surest(votes, *rest):
    return 30 * votes.max(1).values


@pytest.mark.parametrize("seed", SEEDS)
def test_the_mask_target_stands_between_its_baselines_with_margin(seed):
    slipped, case, both_sentences, _ = cases(seed)
    features = len(case.inputs[0])
    learned = of_the_right_word(learn_mask(*case.inputs).numpy(), case.truth)
    uniform = of_the_right_word(np.zeros(features), case.truth)
    in_spite = of_the_right_word(learn_mask(*slipped.inputs).numpy(), slipped.truth)
    assert in_spite.mean() > TARGET + 0.005
    one_word_for_all = torch.bincount(case.truth.targets).max() / len(case.truth.targets)
    assert learned.mean() > TARGET + 0.005
    assert learned.min() > TARGET
    assert uniform.mean() < 0.65
    assert (uniform > 0.4).all()  # nearly undecided, and so right in most cases by a hair
    assert one_word_for_all < 0.65
    learned = of_the_right_word(learn_mask(*both_sentences.inputs).numpy(), both_sentences.truth)
    assert learned.mean() > TARGET + 0.005


def test_the_votes_stay_as_they_are():
    case = cases(0)[2]
    before = [tensor.clone() for tensor in case.inputs]
    learn_mask(*case.inputs)
    assert all(map(torch.equal, before, case.inputs))
