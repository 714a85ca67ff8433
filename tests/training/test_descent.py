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
    steps = torch.arange(31, dtype=torch.float64)
    torch.testing.assert_close(path, torch.stack([0.95**steps, -2 * 0.5**steps], dim=1))
    assert descend(bowl, [1.0, -2.0], sgd(1.0), 0).tolist() == [[1.0, -2.0]]
    with pytest.raises(ValueError, match="0 or more"):
        descend(bowl, [1.0, -2.0], sgd(1.0), -1)


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
