"""A progress bar of text on stdout: nbgrader takes whatever is on stderr for a failure."""

import sys

from tqdm import tqdm


class Bar(tqdm):
    """Counts steps, and shows their rate and the last loss; refreshed twice a second at most.

    Args:
        step: the number of steps already taken.
        until: the number that will have been taken at the end.
        shown: whether to print anything.
    """

    monitor_interval = 0  # no thread of its own; tqdm warns on stderr where it may not start one

    def __init__(self, step: int, until: int, shown: bool):
        super().__init__(
            initial=min(step, until),
            total=until,
            unit=" steps",
            file=sys.stdout,
            mininterval=0.5,
            disable=not shown,
        )

    def show_loss(self, loss: float) -> None:
        """Write the loss behind the bar, with the next refresh."""
        self.set_postfix_str(f"loss {loss:.4g}", refresh=False)
