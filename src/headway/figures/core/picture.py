"""Pictures of matplotlib drawings that fit a page: small, light or dark, the same every time.

A picture is an SVG whose text stays text, so that it is sharp and small; a drawing with many
points becomes a PNG where that is smaller. matplotlib is imported on first use.
"""

import base64
import inspect
import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import quote

from headway.figures.core.palette import DARK, LIGHT, Palette

DECIMALS = re.compile(r"(\.\d\d)\d+")
COORDINATES = re.compile(r'(?:(?<= d=")|(?<= x=")|(?<= y=")|(?<=translate\())[^")]*')
# Comments, names of groups (nothing refers to them) and turns by no angle.
NOTHING = re.compile(r'<!--.*?-->| id="[^"]*_\d+"| transform="rotate\(-?0 [^"]*"', re.DOTALL)
# Of each text, where the drawing as a whole may name it once.
FONT = re.compile(r" ?font-family: 'DejaVu Sans'(?:, sans-serif)?;")
# A group around one text or mark, and what is the default of a text.
ALONE = re.compile(r"<g>\s*(<text [^>]*>[^<]*</text>|<use [^>]*/>)\s*</g>")
DEFAULT = " text-anchor: start;"
# Marks in a group, and the style of each.
MARKS = re.compile(r"<g([^>]*)>\s*((?:<use [^>]*/>\s*){2,})</g>")
MARK_STYLE = re.compile(r' style="[^"]*"(?=/>)')
# The names that matplotlib gives to marks and clipped areas, where they are given and used.
MARK_NAME = re.compile(r'(?:(?<= id=")|(?<="#)|(?<=url\(#))[mp][0-9a-f]{10}(?=["\)])')
SVG = "image/svg+xml"
# What means itself in a data URI between double quotes; "%", "#", "&" and brackets of tags do not.
AS_THEY_ARE = " !$'()*+,-./:;=?@[]_~"
LARGE_SVG = 40_000  # bytes; beyond, a PNG may be smaller


@dataclass(frozen=True)
class Picture:
    """An encoded image.

    Attributes:
        mime: "image/svg+xml" or "image/png".
        data: the bytes of the file.
    """

    mime: str
    data: bytes

    @property
    def uri(self) -> str:
        """The image as a data URI, for `src`.

        An SVG stays text, which is shorter and compresses better than base64.
        """
        if self.mime == SVG:
            return f"data:{SVG},{quote(self.data, safe=AS_THEY_ARE)}"
        return f"data:{self.mime};base64,{base64.b64encode(self.data).decode()}"


def take_picture(
    draw: Callable, width: float, height: float, dark: bool = False, only_png: bool = False
) -> Picture:
    """Draw and encode.

    Args:
        draw: called with an Axes, or with the Figure if its parameter is named `fig`.
        width, height: in inches; a page's column is about 7 wide, a phone 3.5.
        dark: for dark paper.
        only_png: for frontends that show no SVG.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(style(DARK if dark else LIGHT)):
        # A Figure of its own, not pyplot's: no global state, nothing to close.
        figure = Figure(figsize=(width, height), layout="constrained")
        wants_figure = next(iter(inspect.signature(draw).parameters), None) == "fig"
        draw(figure if wants_figure else figure.add_subplot())
        if only_png:
            return encode(figure, "png")
        drawing = encode(figure, "svg")
        if len(drawing.data) > LARGE_SVG:
            drawing = min(drawing, encode(figure, "png"), key=lambda p: len(p.data))
        return drawing


def encode(figure, kind: str) -> Picture:
    """A matplotlib Figure as a file of this kind."""
    file = io.BytesIO()
    if kind == "svg":
        nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        figure.savefig(file, format="svg", metadata=nothing)
        return Picture(SVG, minify_svg(file.getvalue().decode()).encode())
    figure.savefig(file, format="png", dpi=160, metadata={"Software": None})
    return Picture("image/png", file.getvalue())


def minify_svg(svg: str) -> str:
    """The same drawing in fewer bytes.

    No indentation, nothing that draws nothing, no group around one text, coordinates to a
    hundredth point, short names, and the font and the style of a group's marks named once.
    """
    whole = NOTHING.sub("", svg[svg.index("<svg") :])
    whole = COORDINATES.sub(lambda numbers: DECIMALS.sub(r"\1", numbers[0]), whole)
    one_font = """<svg style="font-family: 'DejaVu Sans', sans-serif" """
    whole = FONT.sub("", whole).replace("<svg ", one_font, 1)
    whole = MARKS.sub(share_style, ALONE.sub(r"\1", whole).replace(DEFAULT, ""))
    names = {name: f"m{i}" for i, name in enumerate(dict.fromkeys(MARK_NAME.findall(whole)))}
    whole = MARK_NAME.sub(lambda name: names[name[0]], whole)
    return re.sub(r"\s*\n\s*", " ", whole)


def share_style(group: re.Match) -> str:
    """A group of marks that says their style once, where all have the same.

    The opacity of a whole mark stays: that of a group would blend marks that overlap as one.
    """
    opening, marks = group[1], group[2]
    styles = MARK_STYLE.findall(marks)
    if len(styles) < marks.count("<use ") or len(set(styles)) > 1 or "style=" in opening:
        return group[0]
    if re.search(r'[" ]opacity:', styles[0]):
        return group[0]
    return f"<g{opening}{styles[0]}>{MARK_STYLE.sub('', marks)}</g>"


def style(colors: Palette) -> dict:
    """matplotlib settings for one palette."""
    from cycler import cycler

    return {
        "axes.edgecolor": colors.muted,
        "axes.facecolor": colors.paper,
        "axes.grid": True,
        "axes.axisbelow": True,
        "axes.labelcolor": colors.ink,
        "axes.prop_cycle": cycler(color=colors.hues),
        "axes.spines.right": False,
        "axes.spines.top": False,
        "axes.titlecolor": colors.ink,
        "axes.titlelocation": "left",
        "figure.facecolor": colors.paper,
        "font.family": "sans-serif",
        # Named in every text of an SVG; one and the generic family are enough.
        "font.sans-serif": ["DejaVu Sans"],
        "font.size": 11,
        "grid.color": colors.line,
        "grid.linewidth": 0.6,
        "legend.frameon": False,
        "lines.linewidth": 2,
        "savefig.facecolor": colors.paper,
        # Text as text: a tenth of the size of outlines. The salt makes the ids repeatable.
        "svg.fonttype": "none",
        "svg.hashsalt": "headway",
        "text.color": colors.ink,
        "xtick.color": colors.muted,
        "ytick.color": colors.muted,
        "xtick.labelcolor": colors.ink,
        "ytick.labelcolor": colors.ink,
    }
