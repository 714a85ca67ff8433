"""Figure: the learning rate of a warm-up schedule, by width and by length of the warm-up."""

from collections.abc import Callable, Sequence

from headway.figures.core.interactive import Interactive


def schedule_curves(
    make: Callable[[int, int], Callable[[int], float]],
    widths: Sequence[int],
    warmups: Sequence[int],
    steps: Sequence[int],
    title: str,
    caption: str,
    start: tuple[int, int] = (0, 0),
    at: int = 0,
) -> Interactive:
    """Curves of a schedule; the reader chooses its two numbers and moves along a curve.

    Args:
        make: width, warm-up → a schedule, which is called with the number of steps already taken.
        widths, warmups: what can be chosen.
        steps: where the curves are drawn, counted from 1 as papers do; each warm-up is one of them.
        title, caption: as printed.
        start: the width and the warm-up that are chosen at first, by their places.
        at: the place of the step that is read out at first.

    Raises:
        ValueError: if a peak would be missed, or a place does not exist.
    """
    steps = [int(step) for step in steps]
    if steps != sorted(set(steps)) or not steps or steps[0] < 1:
        raise ValueError(f"steps must rise, from 1 or later; got {steps[:5]}")
    if missing := sorted(set(warmups) - set(steps)):
        raise ValueError(f"the curve peaks at the end of the warm-up; {missing} are not drawn")
    width, warmup = start
    if not (0 <= width < len(widths) and 0 <= warmup < len(warmups) and 0 <= at < len(steps)):
        raise ValueError(f"start {start} or step {at} does not exist")
    rates = [
        [[float(f"{make(C, W)(step - 1):.3g}") for step in steps] for W in warmups] for C in widths
    ]
    names = [f"C = {C}, warm-up {W}" for C in widths for W in warmups]
    curves = [curve for of in rates for curve in of]
    chosen = rates[width][warmup]
    peak = chosen.index(max(chosen))
    few = [i for i, step in enumerate(steps) if step in warmups or i in (0, len(steps) - 1)]
    return Interactive(
        script="schedule_curves",
        data={
            "widths": list(widths),
            "warmups": list(warmups),
            "steps": steps,
            "rates": rates,
            "width": width,
            "warmup": warmup,
            "at": at,
        },
        title=title,
        caption=caption,
        alt=(
            f"For width {widths[width]} the learning rate rises in a straight line to "
            f"{chosen[peak]:g} at step {steps[peak]}, then falls ever more slowly to "
            f"{chosen[-1]:g} at step {steps[-1]}."
        ),
        header=["schedule", *(f"step {steps[i]}" for i in few)],
        rows=[
            [name, *(f"{curve[i]:g}" for i in few)]
            for name, curve in zip(names, curves, strict=True)
        ],
        draw=lambda ax: draw_curves(
            ax,
            steps,
            {
                f"C = {widths[w]}, warm-up {warmups[u]}": rates[w][u]
                for w in range(len(widths))
                for u in range(len(warmups))
                if w == width or u == warmup
            },
        ),
        width=6.4,
        height=3.2,
    )


def draw_curves(ax, steps, curves) -> None:
    """The static picture: the chosen curve, and those that differ from it in one choice."""
    for i, (name, curve) in enumerate(curves.items()):
        ax.plot(steps, curve, color=f"C{i}", ls=("-", "--")[i % 2], label=name)
    ax.set(xlabel="step", ylabel="learning rate", ylim=(0, None))
    ax.locator_params(nbins=5)
    ax.legend(fontsize=9)
