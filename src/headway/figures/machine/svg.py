"""Boxes and wires as SVG; colors come from the style sheet, so that they follow the page."""

from collections.abc import Iterable

from headway.figures.core.page import text
from headway.figures.machine.layout import Box, Wire

TIP = 4  # length and half width of an arrow


def size(x: float) -> str:
    """A length with one digit at most."""
    return f"{x:.1f}".removesuffix(".0")


def rectangle(box: Box, extra: str = "") -> str:
    """The outline of a box."""
    place = f'x="{size(box.x)}" y="{size(box.y)}"'
    return f'<rect {place} width="{size(box.width)}" height="{size(box.height)}" rx="5"{extra}/>'


def words(x: float, y: float, said: str, extra: str = "") -> str:
    """A text whose line runs at `y`."""
    return f'<text x="{size(x)}" y="{size(y)}"{extra}>{text(said)}</text>'


def path(points: Iterable[tuple[float, float]], tip: bool = True) -> str:
    """The commands of a line through the points, and of an arrow's tip at its end."""
    points = list(points)
    line = "M" + "L".join(f"{size(x)} {size(y)}" for x, y in points)
    if not tip:
        return line
    (x0, y0), (x1, y1) = points[-2:]
    length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
    dx, dy = TIP * (x1 - x0) / length, TIP * (y1 - y0) / length
    sides = [(x1 - dx - dy, y1 - dy + dx), (x1, y1), (x1 - dx + dy, y1 - dy - dx)]
    return line + "M" + "L".join(f"{size(x)} {size(y)}" for x, y in sides)


def wiring(wires: Iterable[Wire], tips: bool = True) -> str:
    """All wires, those of one tone in one path."""
    drawn: dict[str, str] = {}
    for wire in wires:
        drawn[wire.tone] = drawn.get(wire.tone, "") + path(wire.points, tips)
    return "".join(
        f'<path class="hw-wire{f" hw-is-{tone}" if tone else ""}" d="{d}"/>'
        for tone, d in drawn.items()
    )
