"""The full run, `make test-full`: what takes long is done in it to the end, and else in part."""

import os

FULL = "HEADWAY_FULL" in os.environ


def seeds(few: int) -> range:
    """All 20 seeds in a full run, the first few of them in a short one."""
    return range(20 if FULL else few)
