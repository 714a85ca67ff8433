"""What each seed gave, as a small picture: a row of dots for each thing that was tried.

A dot is a seed, filled where what the claim says came out with it. Thin lines mark what to compare
with: chance, and the strongest opponent.
"""

from collections.abc import Sequence

from headway.figures.core.page import text
from headway.figures.parts.seeds import Seeds

WIDTH, EDGE = 520, 14
DOT, LANE = 4.5, 10  # radius, and how far dots stack
MEANS = 20  # letters of the words on what dots mean, beside a label
LABEL, MARK = 22, 18  # heights of a row's label and of a line of marks below its dots
SO = {True: "as claimed", False: "not so"}  # what a dot says
LETTER = 6.6  # about the width of one, of the size below


def spread(rows: Sequence[tuple[str, Seeds]]) -> str:
    """The picture as HTML; nothing if nothing was tried over seeds.

    Args:
        rows: what was tried, and what came out.
    """
    if not rows:
        return ""
    drawn, y = [], 0.0
    for label, seeds in rows:
        row, height = _row(label, seeds, y)
        drawn.append(row)
        y += height
    said = " ".join(f"{seeds.name or label}: {_told(seeds)}." for label, seeds in rows)
    kinds = {held for _, seeds in rows for held in seeds.held}
    means = [
        (f"● {SO[held]}" if held else f"○ {SO[held]}") for held in (True, False) if held in kinds
    ]
    drawn.append(
        f'<text class="hw-means" x="{WIDTH - EDGE}" y="15" text-anchor="end">'
        f"{' '.join(means)}</text>"
    )
    return (
        f'<svg class="hw-spread" viewBox="0 0 {WIDTH} {y:.0f}" role="img" '
        f'aria-label="{text(said)}">{"".join(drawn)}</svg>\n'
    )


def _told(seeds: Seeds) -> str:
    """What a row shows: the seeds, and what they are compared with."""
    return "; ".join(
        [seeds.told(), *(f"{name} {seeds.shown(value)}" for name, value in seeds.marks)]
    )


def _row(label: str, seeds: Seeds, top: float) -> tuple[str, float]:
    """One row from `top` on, and its height."""
    marks = [("median", seeds.median), *seeds.marks]
    numbers = [*seeds.values, *(value for _, value in marks)]
    low, high = min(numbers), max(numbers)

    def x(value: float) -> float:
        inner = WIDTH - 2 * EDGE
        return EDGE + inner * ((value - low) / (high - low) if high > low else 0.5)

    places = _stacked([x(value) for value, _ in seeds.each()])
    tallest = max(lane for _, lane in places)
    axis = top + LABEL + tallest * LANE + 2 * DOT
    dots = "".join(
        f'<circle class="hw-{"yes" if held else "no"}" cx="{at:.1f}" '
        f'cy="{axis - DOT - 2 - lane * LANE:.1f}" r="{DOT}"/>'
        for (at, lane), (_, held) in zip(places, seeds.each(), strict=True)
    )
    lines, free, first_line = [], [], []  # free: where each line of marks is free from
    for name, value in sorted(marks, key=lambda mark: mark[1]):
        said = f"{name} {seeds.shown(value)}"
        half = len(said) * LETTER / 2
        middle = min(max(x(value), EDGE + half), WIDTH - EDGE - half)
        line = next((i for i, end in enumerate(free) if end < middle - half), len(free))
        free[line:] = [middle + half + 8, *free[line + 1 :]]
        first_line += [(middle - half - 8, middle + half + 8)] if line == 0 else []
        kind = "hw-median" if name == "median" else "hw-mark-line"
        lines.append(
            f'<path class="{kind}" d="M{x(value):.1f} {top + LABEL:.1f}V{axis + 5:.1f}"/>'
            f'<text x="{middle:.1f}" y="{axis + MARK * (line + 1):.1f}" text-anchor="middle">'
            f"{text(said)}</text>"
        )
    for value, anchor in ((min(seeds.values), "start"), (max(seeds.values), "end")):
        said, place = seeds.shown(value), x(value)
        left = place if anchor == "start" else place - len(said) * LETTER
        if all(not (left < b and a < left + len(said) * LETTER) for a, b in first_line):
            lines.append(
                f'<text x="{place:.1f}" y="{axis + MARK:.1f}" text-anchor="{anchor}">'
                f"{text(said)}</text>"
            )
    baseline = f'<path class="hw-axis" d="M{EDGE} {axis:.1f}H{WIDTH - EDGE}"/>'
    said = text(_short(seeds.name or label))
    name = f'<text class="hw-tried" x="{EDGE}" y="{top + 15:.1f}">{said}</text>'
    height = axis - top + MARK * len(free) + 12
    return f"{name}{baseline}{''.join(lines)}{dots}", height


def _short(label: str) -> str:
    """A label that fits the width; the rows below the picture have it whole."""
    most = int((WIDTH - 2 * EDGE) / LETTER) - MEANS
    return label if len(label) <= most else label[: most - 1].rstrip() + "…"


def _stacked(places: Sequence[float]) -> list[tuple[float, int]]:
    """Places in order of size, each in the lowest lane where it covers no other."""
    ends: list[float] = []
    found = []
    for place in places:
        lane = next((i for i, end in enumerate(ends) if end <= place - 2 * DOT), len(ends))
        ends[lane:] = [place, *ends[lane + 1 :]]
        found.append((place, lane))
    return found
