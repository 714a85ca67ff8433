"""A loop written by hand, shown as the trainer's is: a bar, and what its callbacks draw.

    watch = Watch(LiveLoss({"uniform guess": math.log(V)}))
    for step in watch.steps(300):
        ...
        watch.loss(loss)

The trainer (`headway.training.trainer`) does this by itself.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from torch import Tensor

from headway.training.callbacks import notify
from headway.training.progress import Bar


class Step(NamedTuple):
    """One step: its number, counted from 1, and the loss before the update."""

    step: int
    loss: float


class Watch:
    """Counts the steps of a loop, keeps their losses, and shows both.

    Args:
        callbacks: called with the watch after every step, as a trainer calls its own; the `start`
            and the `finish` of one that has them are called when a loop begins and ends.
        shown: whether there is a bar, on stdout.

    Attributes:
        step: the number of steps whose loss is known.
        history: a `Step` for each of them.
        held_out: empty; callbacks that draw a trainer look for it.
    """

    held_out: tuple = ()

    def __init__(self, *callbacks: Callable[["Watch"], Any], shown: bool = True):
        self.callbacks, self.shown = callbacks, shown
        self.history: list[Step] = []

    @property
    def step(self) -> int:
        return len(self.history)

    def steps(self, until: int) -> Iterator[int]:
        """0 … until−1, with a bar; the history begins anew."""
        self.history = []
        notify(self.callbacks, "start", self)
        try:
            with Bar(0, until, self.shown) as bar:
                for step in range(until):
                    yield step
                    if bar.update() and self.history:
                        bar.show_loss(self.history[-1].loss)
                if self.history:
                    bar.show_loss(self.history[-1].loss)
        finally:
            notify(self.callbacks, "finish", self)

    def loss(self, loss: Tensor | float) -> None:
        """Note the loss of a step, (), and let the callbacks see it."""
        loss = loss.item() if isinstance(loss, Tensor) else float(loss)
        self.history.append(Step(self.step + 1, loss))
        for callback in self.callbacks:
            callback(self)
