"""What is computed once for several tests: they stand in one unit of work."""

import pytest

from tests.shared_work import unit_of


@pytest.mark.parametrize(
    ("test_id", "unit"),
    [
        ("tests/nn/test_attention.py::test_a_mask[2]", "tests/nn/test_attention.py"),
        ("tests/tasks/test_catalogue.py::test_it[3-01-one-hot/pairs]", "01-one-hot/pairs"),
        ("tests/tasks/test_chance.py::test_it[01-one-hot/pairs]", "01-one-hot/pairs"),
        (
            "tests/tasks/test_catalogue.py::test_it[13-08-attention/past by rows]",
            "08-attention/past",
        ),
        ("tests/tasks/test_catalogue.py::test_it[08-attention]", "tests/tasks/test_catalogue.py"),
        ("tests/jupyter/test_lab.py::test_it[08-attention/past]", "tests/jupyter/test_lab.py"),
    ],
)
def test_the_tests_of_a_task_are_one_unit_and_else_those_of_a_file(test_id, unit):
    assert unit_of(test_id) == unit
