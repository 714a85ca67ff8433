"""The picture of a translation: two sentences, and threads from the words of one to the other's.

`threads.js` draws the same picture for the sentences that are typed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from headway.figures.core.page import text

LEAST = 0.03  # weights below are not drawn
NARROW, BROAD = "ijlftrI'.,", "mwMW"  # letters, whose widths are a share of the size of the type
END, STOP = "<end>", "."  # the symbol that ends a sentence, and how it is written here


@dataclass(frozen=True)
class Form:
    """How the picture lies on a page: lengths in its own units.

    Attributes:
        width, height: of the whole; the height of a picture that stands is that of its rows.
        size: of the type.
        words: where the words of the two sentences are, across the threads.
        threads: from and to where threads run.
        thick: a thread whose weight is 1.
    """

    width: float
    height: float
    size: float
    words: tuple[float, float]
    threads: tuple[float, float]
    thick: float


LYING = Form(1000, 262, 36, (24, 238), (48, 208), 15)  # one sentence above the other
STANDING = Form(360, 40, 20, (132, 228), (140, 220), 12)  # one beside the other, 40 for a row


def letters(word: str) -> str:
    """A word as it is written in the picture."""
    return STOP if word == END else word


def width_of(word: str) -> float:
    """About how wide a word is, for type of size 1."""
    shares = (0.32 if c in NARROW else 0.9 if c in BROAD else 0.56 for c in letters(word))
    return sum(shares)


def centers(words: Sequence[str], form: Form) -> tuple[list[float], float]:
    """The middles of words that lie in a row as long as the picture, and the size of their type."""
    widths = [width_of(word) for word in words]
    gaps = len(words) - 1
    size = min(form.size, (form.width - 8) / (sum(widths) + 0.5 * gaps + 0.01))
    gap = min(2.4 * size, (form.width - 8 - sum(widths) * size) / max(gaps, 1))
    x = (form.width - sum(widths) * size - gap * gaps) / 2
    found = []
    for width in widths:
        found.append(x + width * size / 2)
        x += width * size + gap
    return found, size


def rows(count: int, most: int, form: Form) -> list[float]:
    """The middles of rows, as high as the picture if there are `most` of them."""
    return [((most - count) / 2 + i + 0.5) * form.height for i in range(count)]


def threads(
    source: Sequence[float],
    said: Sequence[float],
    weights: Sequence[Sequence[float]],
    thick: float,
) -> list[tuple[int, float, float, float]]:
    """Which threads there are: the word said, from and to where, and how thick.

    Those that meet at a word lie side by side, in the order of their other ends.

    Args:
        source, said: places of the S and T words, along the sentences.
        weights: (T, S).
    """
    drawn = [
        (t, s, thick * weight)
        for t, row in enumerate(weights)
        for s, weight in enumerate(row)
        if weight >= LEAST
    ]
    begins = [at - sum(w for _, s, w in drawn if s == i) / 2 for i, at in enumerate(source)]
    ends = [at - sum(w for t, _, w in drawn if t == i) / 2 for i, at in enumerate(said)]
    found = []
    for t, s, wide in drawn:
        found.append((t, begins[s] + wide / 2, ends[t] + wide / 2, wide))
        begins[s] += wide
        ends[t] += wide
    return found


def picture(
    source: Sequence[str],
    said: Sequence[str],
    weights: Sequence[Sequence[float]],
    alt: str,
    standing: bool = False,
) -> str:
    """The picture as SVG, lying or standing, without the threads of the symbol that ends it.

    Args:
        source, said: S and T words.
        weights: (T, S) where the model looks while it says each word; rows sum to one.
        alt: what it shows, for those who do not see it.
    """
    form = STANDING if standing else LYING
    height, sizes = form.height, (form.size, form.size)
    if standing:
        most = max(len(source), len(said))
        height *= most
        places = [rows(len(words), most, form) for words in (source, said)]
    else:
        (one, size), (other, small) = (centers(words, form) for words in (source, said))
        places, sizes = [one, other], (size, small)
    near, far = form.threads
    middle = (near + far) / 2
    lines = [[] for _ in said]
    spoken = [[] if word == END else row for word, row in zip(said, weights, strict=True)]
    for t, a, b, wide in threads(*places, spoken, form.thick):
        points = ((near, a), (middle, a), (middle, b), (far, b))
        start, *others = (_point(*point, standing) for point in points)
        lines[t].append(
            f'<path class="hw-line hw-of-value" pathLength="1" stroke-width="{_n(wide)}" '
            f'd="M{start}C{" ".join(others)}"/>'
        )
    ends = ("hw-end", "hw-start") if standing else ("", "")
    written = [
        [
            f'<text class="hw-big {end}" x="{_n(x)}" y="{_n(y)}" style="font-size:{_n(size)}px">'
            f"{text(letters(word))}</text>"
            for word, at in zip(words, where, strict=True)
            for x, y in [(across, at) if standing else (at, across)]
        ]
        for words, where, across, end, size in zip(
            (source, said), places, form.words, ends, sizes, strict=True
        )
    ]
    runs = "".join(
        f'<g class="hw-thread" style="--t:{t}">{"".join(some)}</g>' for t, some in enumerate(lines)
    )
    answers = "".join(
        f'<g class="hw-answer" style="--t:{t}">{one}</g>' for t, one in enumerate(written[1])
    )
    kind = ' class="hw-upright"' if standing else ""
    return (
        f'<svg{kind} viewBox="0 0 {_n(form.width)} {_n(height)}" role="img" '
        f'aria-label="{text(alt)}"><g class="hw-asked">{"".join(written[0])}</g>'
        f"{runs}{answers}</svg>"
    )


def _point(along: float, across: float, standing: bool) -> str:
    x, y = (along, across) if standing else (across, along)
    return f"{_n(x)} {_n(y)}"


def _n(x: float) -> str:
    """A length with one digit at most."""
    return f"{x:.1f}".removesuffix(".0")
