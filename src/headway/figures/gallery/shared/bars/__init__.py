"""Figure: bars that a slider moves, through temperatures or through the steps of a training."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from headway.figures.core.interactive import Interactive
from headway.figures.core.page import number, require_sentence

MOST_BARS = 16


@dataclass(frozen=True)
class Bars:
    """Some bars at every stop of the slider.

    Attributes:
        caption: what the bars are, "weight of each word".
        labels: N names.
        values: (stops, N), each in 0 … 1.
    """

    caption: str
    labels: Sequence[str]
    values: np.ndarray


@dataclass(frozen=True)
class Case:
    """What one choice of the figure's menu shows.

    Attributes:
        name: in the menu.
        groups: bars beside each other; the first one is the large one.
        readings: further numbers, a text for each stop, by what they are.
    """

    name: str
    groups: Sequence[Bars]
    readings: Mapping[str, Sequence[str]] = field(default_factory=dict)


def sliding_bars(
    cases: Sequence[Case],
    stops: Sequence[str],
    slider: str,
    title: str,
    caption: str,
    start: int = 0,
    choose: str = "Example",
) -> Interactive:
    """Bars between 0 and 1; the reader chooses a case and moves through the stops.

    Args:
        cases: one or more.
        stops: what the slider's places are called.
        slider: what the slider changes.
        title, caption: as printed.
        start: the stop that is shown at first.
        choose: what the menu chooses.

    Raises:
        ValueError: if the shapes do not fit, a value is not in 0 … 1, or a stop does not exist.
    """
    stops = [str(stop) for stop in stops]
    if not cases or not stops:
        raise ValueError("bars need at least one case and one stop")
    if not 0 <= start < len(stops):
        raise ValueError(f"stop {start} does not exist; there are {len(stops)}")
    data = {
        "choose": choose,
        "slider": require_sentence("slider", slider),
        "stops": stops,
        "at": start,
        "cases": [as_data(case, len(stops)) for case in cases],
    }
    return Interactive(
        script="bars",
        data=data,
        title=title,
        caption=caption,
        alt=in_words(cases[0], f"{slider.lower()} {stops[start]}", start),
        header=["bar or reading", *(f"{slider} {stops[s]}" for s in few(len(stops)))],
        rows=[row for case in cases for row in as_rows(case, few(len(stops)))],
        draw=lambda fig: draw_bars(fig, cases[0], stops, start, slider),
        width=6.2,
        height=1.0 + 0.27 * len(cases[0].groups[0].labels),
    )


def as_rows(case: Case, stops: Sequence[int]) -> list[list[str]]:
    """The bars and readings of a case at these stops, for the table of numbers."""
    bars = [
        [f"{case.name}: {bars.caption}, {label}", *(number(bars.values[s][i]) for s in stops)]
        for bars in case.groups
        for i, label in enumerate(bars.labels)
    ]
    readings = [
        [f"{case.name}: {term}", *(texts[s] for s in stops)]
        for term, texts in case.readings.items()
    ]
    return bars + readings


def few(stops: int) -> list[int]:
    """Up to five stops for the table of numbers, the first and the last among them."""
    return sorted({round(s) for s in np.linspace(0, stops - 1, min(stops, 5))})


def as_data(case: Case, stops: int) -> dict:
    """A case as the script reads it.

    Raises:
        ValueError: if its shapes do not fit, or a value is not in 0 … 1.
    """
    if not case.groups:
        raise ValueError(f"case {case.name!r} has no bars")
    groups = []
    for bars in case.groups:
        values = np.asarray(bars.values, dtype=float)
        if values.shape != (stops, len(bars.labels)) or not 1 <= len(bars.labels) <= MOST_BARS:
            raise ValueError(
                f"values of {bars.caption!r} must be ({stops}, {len(bars.labels)}), a row for each "
                f"stop and 1 to {MOST_BARS} labels, got {values.shape}"
            )
        if not ((values >= 0) & (values <= 1 + 1e-6)).all():
            raise ValueError(f"values of {bars.caption!r} must be in 0 … 1")
        values = np.minimum(values, 1).round(5).tolist()
        groups.append({"caption": bars.caption, "labels": list(bars.labels), "values": values})
    for term, texts in case.readings.items():
        if len(texts) != stops:
            raise ValueError(f"reading {term!r} must have {stops} texts, got {len(texts)}")
    readings = [{"term": term, "texts": list(texts)} for term, texts in case.readings.items()]
    return {"name": case.name, "groups": groups, "readings": readings}


def in_words(case: Case, where: str, at: int) -> str:
    """What the static picture shows; `where` names the stop."""
    parts = []
    for bars in case.groups:
        values = [
            f"{name} {number(v)}" for name, v in zip(bars.labels, bars.values[at], strict=True)
        ]
        parts.append(f"{bars.caption}: {', '.join(values)}.")
    return f"Bars for “{case.name}” at {where}. {' '.join(parts)}"


def draw_bars(fig, case: Case, stops: Sequence[str], at: int, slider: str) -> None:
    """The static picture: all groups of one case at one stop."""
    axes = fig.subplots(1, len(case.groups), squeeze=False)[0]
    rows = max(len(bars.labels) for bars in case.groups)
    for ax, bars in zip(axes, case.groups, strict=True):
        places = range(len(bars.labels))
        ax.barh(places, bars.values[at], color="C0", height=0.6)
        ax.set_yticks(places, bars.labels)
        ax.set(xlim=(0, 1), ylim=(rows - 0.4, -0.6))  # bars of one thickness in all groups
        ax.grid(axis="y", visible=False)
        ax.set_xlabel(bars.caption, fontsize=9)
    fig.suptitle(f"“{case.name}”, {slider.lower()} {stops[at]}", fontsize=10)
