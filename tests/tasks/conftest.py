"""What the tests of all tasks share: the order in which they come, and what is kept meanwhile."""

from pathlib import Path

import pytest

from headway.tasks.engine.drawn_cases import forget_draws
from tests.shared_work import unit_of


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """In each file all tests of a task in turn: they share what was drawn and run for it."""
    first = {}

    def place(numbered):
        number, item = numbered
        task = item.callspec.params.get("task") if hasattr(item, "callspec") else None
        if task is None or Path(__file__).parent not in item.path.parents:
            return number
        return first.setdefault((item.path, task.id), number)

    items[:] = [item for _, item in sorted(enumerate(items), key=place)]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item, nextitem):
    """Forget the draws of a task behind the last of its tests: a full run makes many of them."""
    if nextitem is None or unit_of(item.nodeid) != unit_of(nextitem.nodeid):
        forget_draws()
