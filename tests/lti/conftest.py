"""A platform on this machine, for each test."""

import pytest

from tests.lti.platform import Platform


@pytest.fixture
def platform():
    with Platform() as running:
        yield running
