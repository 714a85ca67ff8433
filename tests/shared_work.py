"""Which tests one worker runs, one after the other: those that compute the same things.

These are the tests of a file; and those of a task, wherever in `tests/tasks` they stand, for its
cases are drawn, and its known answers put to use on them, once in each worker and draw.
"""

import re

import pytest
from xdist.scheduler import LoadFileScheduling

OF_TASKS = "tests/tasks/test_"
TASK = re.compile(r"\[.*?(\d\d-[a-z][a-z0-9-]*/[a-z0-9-]+)")


def unit_of(test_id: str) -> str:
    """What a test is run together with: its task or its file.

    Args:
        test_id: as pytest prints it, "tests/tasks/test_catalogue.py::test_x[3-01-one-hot/pairs]".
    """
    task = TASK.search(test_id) if test_id.startswith(OF_TASKS) else None
    return task[1] if task else test_id.partition("::")[0]


class BySharedWork(LoadFileScheduling):
    def _split_scope(self, nodeid: str) -> str:
        return unit_of(nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log) -> BySharedWork:
    return BySharedWork(config, log)
