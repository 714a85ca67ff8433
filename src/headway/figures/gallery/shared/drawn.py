"""A large drawing as SVG: words, rows of numbers in cells, bars and lines, in the steps of a story.

    canvas = Canvas(720, 400, alt="…")
    with canvas.step(1):
        canvas.word(60, 20, "flower")
        canvas.cells(20, 40, [0.3, -1.2], tone="key")
    canvas.svg()

While a step is played, what it draws can move: see `Canvas.moving`.

A tone is one of the four colors that mean something (`TONES`), "ochre" for what is none of these,
"ink", or "faint" for what others are drawn over. The deeper a cell's color, the larger its number;
numbers below zero are printed with their sign and are as deep.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise

from headway.figures.core.page import require_sentence, text
from headway.figures.core.palette import MEANINGS

TONES = (*MEANINGS, "ochre", "ink", "faint")
CELL, TALL = 40, 24  # a cell's width and height
DEEPEST = 62  # percent of the tone in the deepest cell, on which ink still reads
# What moves while its step is played: how it comes to be where it is drawn.
MOTIONS = (
    "appears",  # where it is
    "arrives",  # from (dx, dy) away
    "travels",  # from (dx, dy) away, and is seen on its way only
    "rises",  # grows from its lower edge
    "falls",  # grows from its upper edge
    "widens",  # grows from its left edge
    "draws",  # its lines are drawn from their beginning
    "reaches",  # its lines are drawn from their beginning, and are seen for a moment only
    "pours",  # its lines are drawn from their beginning as hairs, and then thicken
)
UNSEEN = ("travels", "reaches")  # what is not seen on paper
DRAWN = ("draws", "reaches", "pours")


class Canvas:
    """Collects the parts of a drawing.

    Args:
        width, height: in units, which are about a pixel each on a wide page.
        alt: what the drawing shows, for those who do not see it.
    """

    def __init__(self, width: float, height: float, alt: str):
        self.width, self.height, self.alt = width, height, require_sentence("alt", alt)
        self._parts: list[str] = []
        self._drawing = False  # whether lines are drawn from their beginning

    @contextmanager
    def step(self, number: int, until: int | None = None) -> Iterator[None]:
        """What is drawn inside belongs to this step, counted from 1.

        Args:
            until: the step from which on it is faded, if there is one.
        """
        faded = f' data-until="{until}" class="hw-faded"' if until else ""
        self._parts.append(f'<g data-step="{number}"{faded}>')
        yield
        self._parts.append("</g>")

    @contextmanager
    def moving(self, motion: str, dx: float = 0, dy: float = 0, after: float = 0) -> Iterator[None]:
        """What is drawn inside moves while its step is played; on paper it is where it is drawn.

        Args:
            motion: one of `MOTIONS`.
            dx, dy: from where it comes, if it arrives or travels.
            after: seconds from the beginning of the step.

        Raises:
            ValueError: for another motion.
        """
        if motion not in MOTIONS:
            raise ValueError(
                f"{motion!r} is no motion of a drawing; there are {', '.join(MOTIONS)}"
            )
        way = f"--dx:{_n(dx)}px;--dy:{_n(dy)}px;" if motion in ("arrives", "travels") else ""
        unseen = ' opacity="0"' if motion in UNSEEN else ""
        self._parts.append(f'<g class="hw-{motion}"{unseen} style="{way}--after:{after:.2f}s">')
        self._drawing = motion in DRAWN
        yield
        self._drawing = False
        self._parts.append("</g>")

    def svg(self, upright: bool = False) -> str:
        """The drawing.

        Args:
            upright: whether it is the form for narrow pages, beside another one.
        """
        form = ' class="hw-upright"' if upright else ""
        return (
            f'<svg{form} viewBox="0 0 {_n(self.width)} {_n(self.height)}" role="img" '
            f'aria-label="{text(self.alt)}">{"".join(self._parts)}</svg>'
        )

    def write(self, x: float, y: float, said: str, *kinds: str, tone: str = "") -> None:
        """A text in one line, in the middle of (x, y).

        Args:
            kinds: "word", "big" or "note" for its size; "start" or "end" for where (x, y) is;
                "clear" if lines may run behind it.
            tone: its color, if it has one.
        """
        names = [f"hw-{kind}" for kind in kinds]
        if tone:
            names += ["hw-toned", f"hw-of-{_tone(tone)}"]
        kind = f' class="{" ".join(names)}"' if names else ""
        self._parts.append(f'<text x="{_n(x)}" y="{_n(y)}"{kind}>{text(said)}</text>')

    def box(self, x: float, y: float, width: float, height: float, tone: str = "") -> None:
        """A rectangle around something, (x, y) its upper left corner."""
        toned = f" hw-toned hw-of-{_tone(tone)}" if tone else ""
        self._parts.append(
            f'<rect class="hw-box{toned}" x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" '
            f'height="{_n(height)}" rx="6"/>'
        )

    def circle(self, x: float, y: float, radius: float) -> None:
        """A circle around (x, y), such as the face of a clock."""
        self._parts.append(f'<circle class="hw-box" cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}"/>')

    def cells(
        self,
        x: float,
        y: float,
        numbers: Sequence[float],
        tone: str,
        largest: float | None = None,
        digits: int = 1,
        width: float = CELL,
    ) -> None:
        """A row of numbers in the middle of (x, y), each in a cell.

        Args:
            largest: the size that has the deepest color; that of the largest number if left out.
            digits: behind the point; none are printed if it is negative.
        """
        numbers = [float(number) for number in numbers]
        largest = largest or max(map(abs, numbers)) or 1.0
        left = x - len(numbers) * width / 2
        parts = []
        for i, number in enumerate(numbers):
            deep = DEEPEST * min(1.0, abs(number) / largest)
            at = left + i * width
            parts.append(
                f'<rect class="hw-cell" style="--p:{deep:.0f}%" x="{_n(at)}" '
                f'y="{_n(y - TALL / 2)}" width="{_n(width)}" height="{TALL}"/>'
            )
            if digits >= 0:
                parts.append(
                    f'<text x="{_n(at + width / 2)}" y="{_n(y)}">{shown(number, digits)}</text>'
                )
        self._parts.append(f'<g class="hw-of-{_tone(tone)}">{"".join(parts)}</g>')

    def bar(self, x: float, y: float, width: float, height: float, tone: str) -> None:
        """A filled bar, (x, y) its upper left corner."""
        self._parts.append(
            f'<rect class="hw-column hw-of-{_tone(tone)}" x="{_n(x)}" y="{_n(y)}" '
            f'width="{_n(width)}" height="{_n(height)}" rx="2"/>'
        )

    def band(self, x: float, y: float, width: float, below: float, wide: float, tone: str) -> None:
        """A piece of a stream that runs down around x: `width` at y, and `wide` at `below`."""
        left, right = x - width / 2, x + width / 2
        half = (y + below) / 2
        sides = (
            f"M{_n(left)} {_n(y)}L{_n(right)} {_n(y)}"
            f"C{_n(right)} {_n(half)} {_n(x + wide / 2)} {_n(half)} {_n(x + wide / 2)} {_n(below)}"
            f"L{_n(x - wide / 2)} {_n(below)}"
            f"C{_n(x - wide / 2)} {_n(half)} {_n(left)} {_n(half)} {_n(left)} {_n(y)}Z"
        )
        self._parts.append(f'<path class="hw-band hw-of-{_tone(tone)}" d="{sides}"/>')

    def line(
        self,
        points: Sequence[tuple[float, float]],
        tone: str = "ink",
        width: float = 1.5,
        arrow: bool = False,
    ) -> None:
        """A line through points; with four of them, a curve that leaves and arrives straight.

        Args:
            arrow: whether it ends in a tip.
        """
        path, tip = _path(points), _tip(points) if arrow else ""
        if tip and not self._drawing:
            path, tip = path + tip, ""
        measured = ' pathLength="1"' if self._drawing else ""
        self._parts.append(
            f'<path class="hw-line hw-of-{_tone(tone)}"{measured} stroke-width="{_n(width)}" '
            f'd="{path}"/>'
        )
        if tip:
            self._parts.append(
                f'<path class="hw-line hw-tip hw-of-{tone}" stroke-width="{_n(width)}" d="{tip}"/>'
            )

    def ribbon(self, points: Sequence[tuple[float, float]], tone: str, width: float) -> None:
        """A wide line, as `line` draws them, with straight ends that fit beside others."""
        measured = ' pathLength="1"' if self._drawing else ""
        self._parts.append(
            f'<path class="hw-line hw-ribbon hw-of-{_tone(tone)}"{measured} '
            f'stroke-width="{_n(width)}" d="{_path(points)}"/>'
        )

    def dot(self, x: float, y: float, radius: float, tone: str) -> None:
        """A filled circle around (x, y)."""
        self._parts.append(
            f'<circle class="hw-column hw-of-{_tone(tone)}" cx="{_n(x)}" cy="{_n(y)}" '
            f'r="{_n(radius)}"/>'
        )

    def branch(
        self,
        start: tuple[float, float],
        end: tuple[float, float],
        thick: float,
        tone: str,
        flat: float = 0,
    ) -> None:
        """A piece of a stream that runs across: a bend from start to end, then straight on."""
        (x, y), (right, to), half = start, end, thick / 2
        bend = (x + right) / 2
        upper = (
            f"M{_n(x)} {_n(y - half)}"
            f"C{_n(bend)} {_n(y - half)} {_n(bend)} {_n(to - half)} {_n(right)} {_n(to - half)}"
        )
        lower = (
            f"L{_n(right)} {_n(to + half)}"
            f"C{_n(bend)} {_n(to + half)} {_n(bend)} {_n(y + half)} {_n(x)} {_n(y + half)}Z"
        )
        ahead = f"L{_n(right + flat)} {_n(to - half)}L{_n(right + flat)} {_n(to + half)}"
        self._parts.append(f'<path class="hw-band hw-of-{_tone(tone)}" d="{upper}{ahead}{lower}"/>')

    @contextmanager
    def rolling(self, points: Sequence[tuple[float, float]]) -> Iterator[None]:
        """What is drawn inside, at the last of some points, comes along them, as `moving` says."""
        pieces = list(pairwise(points))
        for i, ((x0, y0), (x1, y1)) in enumerate(pieces):
            way = f"--dx:{_n(x0 - x1)}px;--dy:{_n(y0 - y1)}px;--after:{i / len(pieces):.2f}s"
            self._parts.append(f'<g class="hw-rolls" style="{way}">')
        yield
        self._parts.append("</g>" * len(pieces))

    @contextmanager
    def turning(self, x: float, y: float, degrees: float, after: float = 0) -> Iterator[None]:
        """What is drawn inside turns by degrees around (x, y), clockwise, as `moving` says."""
        way = f"--turn:{_n(-degrees)}deg;--after:{after:.2f}s;transform-origin:{_n(x)}px {_n(y)}px"
        self._parts.append(f'<g class="hw-turns" style="{way}">')
        yield
        self._parts.append("</g>")


def shown(number: float, digits: int) -> str:
    """A number with all its digits, and a real minus sign."""
    return f"{round(number, digits) + 0.0:.{digits}f}".replace("-", "−")


def room(said: str) -> float:
    """How wide a big word is at most, in whatever face it is set."""
    return 10.4 * len(said) + 4


def _path(points: Sequence[tuple[float, float]]) -> str:
    """A way through points; with four of them, a curve that leaves and arrives straight."""
    if len(points) == 4:
        (x0, y0), (a, b), (c, d), (x, y) = points
        return f"M{_n(x0)} {_n(y0)}C{_n(a)} {_n(b)} {_n(c)} {_n(d)} {_n(x)} {_n(y)}"
    return "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in points)


def _tip(points: Sequence[tuple[float, float]]) -> str:
    """The tip of an arrow at the last of the points."""
    (x1, y1), (x2, y2) = points[-2:]
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1.0
    dx, dy = 5 * (x2 - x1) / length, 5 * (y2 - y1) / length
    return _path([(x2 - dx - dy, y2 - dy + dx), (x2, y2), (x2 - dx + dy, y2 - dy - dx)])


def _tone(tone: str) -> str:
    if tone not in TONES:
        raise ValueError(f"{tone!r} is no tone of a drawing; there are {', '.join(TONES)}")
    return tone


def _n(x: float) -> str:
    """A length with one digit at most."""
    return f"{x:.1f}".removesuffix(".0")
