"""The loss curve, drawn while a model trains.

    trainer = Trainer(..., callbacks=[LiveLoss({"uniform guess": math.log(V)})])

In a notebook the picture is renewed in place, and one picture is left at the end; a page of the
book draws only that one. In a plain script nothing is drawn.

It knows a trainer only by what it reads: `history`, records with a `step` and a `loss`, and
`held_out`, pairs of a step and a loss.
"""

import sys
import time
from collections.abc import Iterable, Mapping

import numpy as np

from headway.figures.core.page import in_book, with_style
from headway.figures.core.picture import take_picture
from headway.figures.core.plot import Plot

POINTS = 300  # on a curve; more steps are averaged in runs
REST = 5  # times as long as a picture took to draw, until the next


class LiveLoss:
    """A callback for a trainer that shows its losses.

    Args:
        baselines: name → loss, drawn as horizontal lines: what a uniform guess costs, say.
        unit: of the losses.
        seconds: between two pictures; longer where drawing is slow.
    """

    def __init__(
        self,
        baselines: Mapping[str, float] | None = None,
        unit: str = "nats a token",
        seconds: float = 1.0,
    ):
        self.baselines, self.unit, self.seconds = dict(baselines or {}), unit, seconds
        self.handle = None  # of the picture in the notebook
        self.due = 0.0

    def start(self, trainer) -> None:
        """Take the place for the picture, above what training prints."""
        self.handle, self.due = None, 0.0
        if in_notebook() and not in_book():
            take_picture(lambda ax: None, 2, 2)  # loads matplotlib, which is no part of drawing
            self.put(html("Training has begun."))

    def __call__(self, trainer) -> None:
        """Renew the picture if it is time to; the curve of a single step shows nothing."""
        began = time.monotonic()
        if began >= self.due and in_notebook() and not in_book() and trainer.step > 1:
            self.put(html(with_style(self.plot(trainer).html())))
            now = time.monotonic()
            self.due = now + max(self.seconds, REST * (now - began))

    def finish(self, trainer) -> None:
        """Leave the picture of the whole training."""
        if in_notebook() and trainer.history:
            self.put(self.plot(trainer))

    def put(self, picture) -> None:
        """Show a picture in the place of the last one."""
        if self.handle is None:
            from IPython.display import display

            self.handle = display(picture, display_id=True)
        else:
            self.handle.update(picture)

    def plot(self, trainer) -> Plot:
        """The losses so far, as a plot.

        Raises:
            ValueError: if no step was taken yet.
        """
        if not trainer.history:
            raise ValueError("there is no loss to draw before the first step")
        trained = [(record.step, record.loss) for record in trainer.history]
        held_out = list(trainer.held_out)
        (_, first), (steps, last) = trained[0], trained[-1]
        change = "fell" if last < first else "rose" if last > first else "stayed"
        alt = f"Training loss over {steps} steps, in {self.unit}: {words(trained)}."
        if held_out:
            step, loss = min(held_out, key=lambda pair: pair[1])
            alt += f" Held-out loss: {words(held_out)}; lowest {loss:.3g} at step {step}."
        for name, loss in self.baselines.items():
            alt += f" Line at {loss:.3g}: {name}."
        return Plot(
            lambda ax: self.draw(ax, trained, held_out),
            alt=alt,
            title=f"The training loss {change} from {first:.3g} to {last:.3g} in {steps} steps",
        )

    def draw(self, ax, trained: list, held_out: list) -> None:
        """Curves and lines on a matplotlib Axes, each with its name at its right end."""
        steps, losses = averaged(trained).T
        ax.plot(steps, losses, color="C0")
        labels = [(losses[-1], "training", "C0")]
        if held_out:
            steps, losses = np.array(held_out).T
            ax.plot(steps, losses, "o-", color="C1", markersize=4)
            labels.append((losses[-1], "held out", "C1"))
        for number, (name, loss) in enumerate(self.baselines.items(), start=2):
            ax.axhline(loss, color=f"C{number}", linestyle="--", linewidth=1.2)
            labels.append((loss, name, f"C{number}"))
        ax.set_xlabel("step")
        ax.set_ylabel(f"loss ({self.unit})")
        ax.set_ylim(bottom=min(0.0, ax.get_ylim()[0]))
        bottom, top = ax.get_ylim()
        places = spread([(loss - bottom) / (top - bottom) for loss, _, _ in labels])
        for place, (_, name, color) in zip(places, labels, strict=True):
            ax.text(1.02, place, name, color=color, va="center", transform=ax.transAxes)


def in_notebook() -> bool:
    """Whether the code runs in a kernel, which can show and renew pictures."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return getattr(shell, "kernel", None) is not None


def html(content: str):
    """Something that shows itself as this HTML."""
    from IPython.display import HTML

    return HTML(content)


def words(curve: list) -> str:
    """Where a curve starts and ends, in words."""
    (first, high), (last, low) = curve[0], curve[-1]
    return f"{high:.3g} at step {first}, {low:.3g} at step {last}"


def averaged(curve: list, points: int = POINTS) -> np.ndarray:
    """The curve as (≤ points, 2): runs of neighboring steps become their mean."""
    parts = np.array_split(np.array(curve, dtype=float), min(points, len(curve)))
    return np.array([part.mean(axis=0) for part in parts])


def spread(places: Iterable[float], gap: float = 0.08) -> list[float]:
    """Heights moved apart until `gap` is between neighbors, in the order they were given."""
    places = np.array(list(places), dtype=float)
    order = places.argsort(kind="stable")
    steps = gap * np.arange(len(places))
    # The closest heights that keep the gap, roughly: push up from below, then center the shift.
    raised = np.maximum.accumulate(places[order] - steps) + steps
    lowered = np.minimum.accumulate((places[order] + steps[::-1])[::-1])[::-1] - steps[::-1]
    places[order] = (raised + lowered) / 2
    return places.tolist()
