"""What the tests of all tasks share: the order in which they come."""

from pathlib import Path

import pytest


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
