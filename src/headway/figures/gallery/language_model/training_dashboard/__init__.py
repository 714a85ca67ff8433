"""Figure: a training, step by step: its losses, and what the model writes by then."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp

from headway.figures.core.interactive import Interactive
from headway.figures.core.page import number

POINTS = 120  # steps that the curve is drawn through


@dataclass(frozen=True)
class Look:
    """The model at one step of its training.

    Attributes:
        step: counted from 1.
        held_out: the loss of a token of held-out text, in nats.
        said: what the model draws after the prompt.
    """

    step: int
    held_out: float
    said: str


def training_dashboard(
    losses: Sequence[float],
    looks: Sequence[Look],
    levels: Mapping[str, float],
    title: str,
    caption: str,
    prompt: str,
) -> Interactive:
    """A line is moved through the looks: both losses on a curve, and a text.

    Args:
        losses: of every step, in training.
        looks: some of the steps, in order; the last one is shown at first.
        levels: losses to compare with, by name.
        title, caption: as printed.
        prompt: what every text of the looks goes on from.

    Raises:
        ValueError: if there are no two looks, or they are not steps of the training in order.
    """
    by_step = dict(enumerate(losses, 1))
    steps = [look.step for look in looks]
    if len(steps) < 2 or steps != sorted(set(steps)) or not set(steps) <= set(by_step):
        raise ValueError(f"looks need two steps of the training or more, in order; got {steps}")
    stride = max(1, len(by_step) // POINTS)
    drawn = {n: loss for n, loss in by_step.items() if n % stride == 0 or n in steps}
    return Interactive(
        script="training_dashboard",
        data={
            "curve": [[step, round(float(loss), 4)] for step, loss in drawn.items()],
            "looks": [
                {
                    "step": look.step,
                    "loss": round(float(by_step[look.step]), 4),
                    "heldOut": round(look.held_out, 4),
                    "said": look.said,
                }
                for look in looks
            ],
            "levels": [[name, round(float(level), 4)] for name, level in levels.items()],
            "prompt": prompt,
        },
        title=title,
        caption=caption,
        alt="Loss on held-out text by step: "
        + ", ".join(f"{number(look.held_out, 2)} at {look.step}" for look in looks)
        + ". To compare: "
        + ", ".join(f"{name} {number(level, 2)}" for name, level in levels.items())
        + f". At step {steps[-1]} the model writes “{prompt}{looks[-1].said}”.",
        header=["step", "loss in training", "held out", "perplexity", "what it writes"],
        rows=[
            [
                look.step,
                number(by_step[look.step], 2),
                number(look.held_out, 2),
                number(exp(look.held_out), 0),
                prompt + look.said,
            ]
            for look in looks
        ],
        draw=lambda ax: draw_losses(ax, drawn, looks, levels),
        width=5.6,
        height=3.0,
    )


def draw_losses(ax, drawn: Mapping[int, float], looks: Sequence[Look], levels) -> None:
    """Both losses by step on an Axes, and the levels as lines across it."""
    ax.plot([*drawn], [*drawn.values()], color="C0", lw=1, label="training")
    ax.plot([o.step for o in looks], [o.held_out for o in looks], "o", color="C1", label="held out")
    for name, level in levels.items():
        ax.axhline(level, color="0.5", lw=1, ls="--")
        ax.text(max(drawn), level, name, ha="right", va="bottom", size=9)
    ax.set(xlabel="step", ylabel="loss (nats for each token)")
    ax.legend(frameon=False)
