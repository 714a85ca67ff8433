"""Colors of figures and plots, light and dark.

The hues are those of Okabe and Ito, which color-blind readers can tell apart, made darker for
light paper and lighter for dark paper until text and lines in them have enough contrast: 4.5 to 1
at least against their own paper.

Four of them have a meaning through the whole book: queries, keys, values, and the residual stream,
the rows that blocks read and add to. In a plot they go by the names here, which fit light and dark
(`color=QUERY`), in a style sheet by `var(--hw-query)` and so on.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Palette:
    """One set of colors.

    Attributes:
        paper, ink, muted, line: background, text, secondary text, frames and grid.
        hues: colors to tell things apart, in the order of use.
    """

    paper: str
    ink: str
    muted: str
    line: str
    hues: tuple[str, ...]


#       blue       vermilion  green      purple     ochre
LIGHT = Palette(
    paper="#ffffff",
    ink="#1b1f24",
    muted="#57606a",
    line="#c9d1d9",
    hues=("#0067a5", "#b84500", "#00704f", "#a1457c", "#7a5c00"),
)
DARK = Palette(
    paper="#14181e",
    ink="#e6e9ed",
    muted="#a4adb8",
    line="#444c56",
    hues=("#6db8ec", "#f08a4b", "#3fc79a", "#e29ac4", "#e6b93c"),
)

# Places in the hues, by the names that matplotlib gives them.
QUERY, KEY, VALUE, RESIDUAL = "C1", "C0", "C2", "C3"
MEANINGS = {"query": QUERY, "key": KEY, "value": VALUE, "residual": RESIDUAL}
