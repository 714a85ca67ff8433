"""Figure: what a decoder reads under teacher forcing, on its own, and in a mixture of the two."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from headway.figures.core.interactive import Interactive

Way = tuple[Sequence[str], Sequence[str]]


@dataclass(frozen=True)
class Inputs:
    """One sentence.

    Attributes:
        source: as it was given to the encoder.
        target: T words, the right ones, with the end symbol.
        stages: for each state of the model, in order: name of a way to feed it → the words read
            and the words said, up to T each; "" where nothing is read any more.
    """

    source: str
    target: Sequence[str]
    stages: Sequence[Mapping[str, Way]]


def decoder_inputs(
    cases: Sequence[Inputs],
    stages: Sequence[str],
    title: str,
    caption: str,
    chosen: int = 0,
) -> Interactive:
    """Inputs and outputs of a decoder side by side; words that are not the true ones stand out.

    Args:
        cases: sentences; the first one is shown at first, and on paper.
        stages: names of the states of the model.
        title, caption: as printed.
        chosen: the state that is shown at first.

    Raises:
        ValueError: if there is nothing to show, or the lengths differ.
    """
    if not cases or not stages or not 0 <= chosen < len(stages):
        raise ValueError("inputs need a sentence, a state of the model and a chosen one of these")
    data = []
    for case in cases:
        T = len(case.target)
        if len(case.stages) != len(stages):
            raise ValueError(f"{case.source!r} has {len(case.stages)} states, not {len(stages)}")
        for ways in case.stages:
            for name, (read, said) in ways.items():
                if len(read) != T or len(said) != T:
                    raise ValueError(
                        f"{case.source!r}, {name}: {len(read)} words read and {len(said)} said "
                        f"must both be {T}"
                    )
        data.append(
            {
                "source": case.source,
                "target": list(case.target),
                "ways": [
                    [
                        {"name": name, "read": list(read), "said": list(said)}
                        for name, (read, said) in ways.items()
                    ]
                    for ways in case.stages
                ],
            }
        )
    first = data[0]
    ways = first["ways"][chosen]
    return Interactive(
        script="decoder_inputs",
        data={"stages": list(stages), "chosen": chosen, "cases": data},
        title=title,
        caption=caption,
        alt=f"After {stages[chosen]}, for “{first['source']}”. "
        + " ".join(f"{way['name']} reads: {' '.join(way['read'])}." for way in ways),
        header=["true word", *(f"{way['name']}: {what}" for way in ways for what in WHAT)],
        rows=[
            [word, *(way[what][t] for way in ways for what in WHAT.values())]
            for t, word in enumerate(first["target"])
        ],
        draw=lambda ax: draw_ways(ax, first["target"], ways),
        width=6.8,
        height=0.8 + 0.27 * (len(first["target"]) + 1),
    )


WHAT = {"reads": "read", "says": "said"}


def draw_ways(ax, target, ways) -> None:
    """The static picture: a pair of columns for each way."""
    ax.set_axis_off()
    ax.set(xlim=(0, 2 * len(ways)), ylim=(len(target) + 0.5, -2))
    true = {"read": ["<start>", *target], "said": target}
    for w, way in enumerate(ways):
        ax.text(2 * w, -1.4, way["name"], weight="bold", va="center", size=10)
        for i, (name, what) in enumerate(WHAT.items()):
            ax.text(2 * w + i, -0.5, name, va="center", size=9)
            for t, word in enumerate(way[what]):
                off = word and word != true[what][t]
                style = {"color": "C1", "weight": "bold"} if off else {}
                ax.text(2 * w + i, t + 0.5, word or "–", va="center", size=9, **style)
