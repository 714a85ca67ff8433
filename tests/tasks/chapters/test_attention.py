import numpy as np
import pytest
import torch

from headway.tasks.chapters.attention.near import near_weights
from headway.tasks.chapters.attention.recall import TARGET, examine, learn_recall, new_parameters
from headway.tasks.chapters.attention.telling import factor, look, look_at_mixture
from headway.tasks.engine.find import find_task
from headway.tasks.engine.judge import judge
from tests.full import seeds

SEEDS = seeds(3)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_recall_target_stands_between_its_baselines_with_margin(seed):
    for case in find_task("08-attention/recall").cases(np.random.default_rng(seed))[:2]:
        sizes, (keys, values, _, answers) = case.inputs[-1], case.truth
        learned = examine([p.numpy() for p in learn_recall(*case.inputs)], case)
        assert learned.accuracy > TARGET + 0.01
        assert learned.share > 0.8
        untrained = examine([p.detach().numpy() for p in new_parameters(sizes)], case)
        assert untrained.accuracy < 0.4
        counts = torch.nn.functional.one_hot(values, sizes[1]).sum(1)
        most_frequent = (counts.argmax(1) == answers).float().mean()
        assert 1 / sizes[1] + 0.05 < most_frequent < 0.6
        assert len(keys) == 500


def test_no_question_shows_a_key_twice_and_every_answer_stands_beside_its_key():
    for case in find_task("08-attention/recall").cases(np.random.default_rng(0)):
        keys, values, asked, answers, _ = case.inputs
        assert all(len(set(row)) == len(row) for row in keys.tolist())
        assert torch.equal(values[keys == asked[:, None]], answers)


def test_an_array_that_is_no_matrix_is_called_by_its_name():
    flat = [part[:, 0] if i == 2 else part for i, part in enumerate(near_weights(1.0))]
    verdict = judge(find_task("08-attention/near"), lambda sharpness: flat)
    assert "W_V is no matrix: its shape is (5,)" in verdict.reason


def test_a_mixture_of_values_wider_than_many_tells_the_weights_and_these_the_scale():
    rng = np.random.default_rng(0)
    query, key, value = (rng.normal(size=shape) for shape in ((2, 3, 4), (2, 5, 4), (2, 5, 6)))
    weights = torch.from_numpy(query @ key.mT * 0.8).softmax(-1).numpy()
    seen = look_at_mixture(weights @ value, query, key, value)
    np.testing.assert_allclose(seen.weights, weights, atol=1e-4)
    assert factor(seen, seen.scores) == pytest.approx(0.8 * 2, rel=1e-2)
    assert factor(seen, -seen.scores) is None
    with pytest.raises(ValueError, match="no weights follow"):
        look_at_mixture(weights @ value + 1, query, key, value)


def test_two_keys_alone_tell_a_scale_only_if_a_size_does():
    query, key, value = np.ones((1, 4)), np.array([[0.0] * 4, [1.0] * 4]), np.eye(2)
    for scale, told in ((1.0, True), (0.7, False)):
        weights = torch.tensor([[0.0, 4.0 * scale]]).softmax(-1).numpy()
        seen = look(weights @ value, weights, query, key, value)
        assert (factor(seen, seen.scores) is not None) == told
