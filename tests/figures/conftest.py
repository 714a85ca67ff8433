"""What the tests of several chapters' figures share."""

import pytest


@pytest.fixture(scope="module")
def answers(request):
    """What Node answers to the `CASES` of a file, in one start."""
    return request.module.CASES.answers()
