import math

import numpy as np
import pytest
import torch

from headway.training.descent import descend, walks


def sgd(rate):
    return lambda parameters: torch.optim.SGD(parameters, lr=rate)


def bowl(point):
    return (point * point * torch.tensor([1.0, 10.0])).sum() / 2


def test_each_step_goes_against_the_gradient():
    path = descend(bowl, [1.0, -2.0], sgd(0.05), 30)
    assert path.shape == (31, 2)
    steps = torch.arange(31, dtype=torch.float64)
    expected = torch.stack([0.95**steps, -2 * 0.5**steps], dim=1)
    torch.testing.assert_close(path, expected)


@pytest.mark.parametrize(("rate", "arrives"), [(0.19, True), (0.21, False)])
def test_the_largest_curvature_bounds_the_learning_rate(rate, arrives):
    assert (descend(bowl, [0.0, 1.0], sgd(rate), 300).norm(dim=1)[-1] < 1e-6) == arrives


def test_the_first_step_of_adam_is_the_learning_rate_in_every_direction():
    path = descend(bowl, [3.0, 2.0], lambda p: torch.optim.Adam(p, lr=0.1), 1)
    torch.testing.assert_close(path[0] - path[1], torch.full((2,), 0.1).double())


def test_a_walk_of_no_steps_stays_at_its_start_and_one_of_less_is_refused():
    assert descend(bowl, [math.pi], sgd(1.0), 0).tolist() == [[math.pi]]
    with pytest.raises(ValueError, match="0 or more"):
        descend(bowl, [1.0], sgd(1.0), -1)


def test_all_walks_start_at_one_place_and_each_is_its_own():
    surfaces = {"bowl": np.diag([1.0, 10.0]), "turned": np.array([[2.0, 1.0], [1.0, 3.0]])}
    methods = {"SGD": torch.optim.SGD, "Adam": torch.optim.Adam}
    found = walks(surfaces, methods, [0.05, 0.1], [1.0, -2.0], 30)
    assert {(s, m): list(found[s][m]) for s in surfaces for m in methods} == {
        (s, m): [0.05, 0.1] for s in surfaces for m in methods
    }
    np.testing.assert_array_equal(
        found["bowl"]["SGD"][0.05], descend(bowl, [1.0, -2.0], sgd(0.05), 30)
    )
    point = np.array([1.0, -2.0])
    first = point - 0.1 * surfaces["turned"] @ point
    np.testing.assert_allclose(found["turned"]["SGD"][0.1][:2], [point, first])
