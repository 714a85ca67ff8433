"""Callbacks: what a loop calls after every step, and some also where it begins and ends.

A callback is called with the loop, a `Trainer` or a `Watch`. One that has a method `start` or
`finish` is notified by it when the loop begins or ends.
"""

from collections.abc import Callable, Iterable
from typing import Any


def notify(callbacks: Iterable[Callable], event: str, loop: Any) -> None:
    """Call the method named `event` with the loop, of those callbacks that have it, in order."""
    for callback in callbacks:
        if method := getattr(callback, event, None):
            method(loop)
