"""Figure: what a block costs at each length: the part that grows with T², and the part with C²."""

from collections.abc import Sequence

from headway.figures.core.interactive import Interactive


def costs(length: int, width: int, whole: bool) -> tuple[int, int]:
    """FLOPs that grow linearly with the length, and those that grow with its square.

    With M = 4·C and as many key/value heads as heads, projections take 8·T·C², the feed-forward
    part 16·T·C², scores and mixing 4·T²·C. A multiply-add is 2 FLOPs.

    Args:
        length: T, tokens.
        width: C.
        whole: whether the feed-forward part counts.
    """
    return (24 if whole else 8) * length * width**2, 4 * length**2 * width


def crossing(width: int, whole: bool) -> int:
    """The length at which the two cost the same: 6·C for a block, 2·C for attention alone."""
    return (6 if whole else 2) * width


def cost_curves(
    widths: Sequence[int],
    lengths: Sequence[int],
    title: str,
    caption: str,
    width: int,
    length: int,
) -> Interactive:
    """Two curves on logarithmic axes; menus choose width and parts, a moved line the length.

    Args:
        widths: C, in rising order.
        lengths: T, in rising order.
        title, caption: as printed.
        width, length: those that are chosen at first.

    Raises:
        ValueError: if widths or lengths do not rise from 1 or more, there are fewer than two
            lengths, or what is chosen is none of them.
    """
    widths, lengths = [int(d) for d in widths], [int(n) for n in lengths]
    for name, given in (("widths", widths), ("lengths", lengths)):
        if not given or sorted(set(given)) != given or given[0] < 1:
            raise ValueError(f"{name} must rise, from 1 or more; got {given}")
    if len(lengths) < 2 or width not in widths or length not in lengths:
        raise ValueError(
            f"width {width} and length {length} must be among those given, {widths} and {lengths}"
        )
    linear, quadratic = costs(length, width, whole=True)
    return Interactive(
        script="cost_curves",
        data={
            "widths": widths,
            "lengths": lengths,
            "width": widths.index(width),
            "length": lengths.index(length),
        },
        title=title,
        caption=caption,
        alt=f"Two rising lines for width {width}. At {length:,} tokens, projections and "
        f"feed-forward take {linear:.2e} FLOPs, scores and mixing {quadratic:.2e}; the two cross "
        f"at {crossing(width, True):,} tokens.",
        header=["width C", "attention alone crosses at", "a whole block crosses at"],
        rows=[[f"{d:,}", f"{crossing(d, False):,}", f"{crossing(d, True):,}"] for d in widths],
        draw=lambda ax: draw_costs(ax, lengths, width),
    )


def draw_costs(ax, lengths, width) -> None:
    """The static picture: both parts of a whole block, and where they cross."""
    parts = zip(*(costs(n, width, whole=True) for n in lengths), strict=True)
    for hue, (name, values) in enumerate(zip(("C² part", "T² part"), parts, strict=True)):
        ax.plot(lengths, values, color=f"C{hue}")
        ax.annotate(name, (lengths[-1], values[-1]), (5, 0), textcoords="offset points",
                    va="center")  # fmt: skip
    at = crossing(width, whole=True)
    ax.axvline(at, color="0.5", ls=":")
    ax.annotate(f"T = {at:,}", (at, 0.05), (4, 0), xycoords=("data", "axes fraction"),
                textcoords="offset points")  # fmt: skip
    ax.set(xscale="log", yscale="log", xlabel="length T, tokens", ylabel=f"FLOPs, C = {width}")
    ax.set_xlim(lengths[0], 8 * lengths[-1])
