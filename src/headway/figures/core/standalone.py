"""A drawing as a file of its own, which any viewer shows: SVG, and PNG for slides and previews."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from headway.figures.core.cascade import named_colors, write_out
from headway.figures.core.page import text
from headway.figures.core.palette import DARK, LIGHT, Palette

LICENSE = "Headway, by the Headway authors, CC BY 4.0"
LICENSE_ADDRESS = "https://creativecommons.org/licenses/by/4.0/"
FONTS = "'Source Sans 3', 'Source Sans Pro', 'DejaVu Sans', Verdana, sans-serif"
MARGIN, FOOT = 16, 14  # units around the drawing, and for the line on its license
CENTER = "0.35em"  # from the middle of a line down to where its letters stand
NAMESPACE = "http://www.w3.org/2000/svg"
# As on a page, so that the rules of its style sheets apply.
PAGE = '<figure class="hw-figure hw-stepped"><div class="hw-drawing">{}</div></figure>'
SENTENCE = re.compile(r"(.+?[.?!])(?:\s|$)", re.DOTALL)


@dataclass(frozen=True)
class Plain:
    """A drawing whose shapes say for themselves how they look.

    Attributes:
        body: its parts, as SVG.
        box: its left and upper edge, width and height.
        alt: what it shows.
    """

    body: str
    box: tuple[float, float, float, float]
    alt: str


def plain(svg: str, palette: Palette = LIGHT) -> Plain:
    """A drawing made with `Canvas`, without what only a page can make use of.

    Raises:
        ValueError: if its style says what no attribute can say.
    """
    from lxml import etree

    tree = etree.fromstring(PAGE.format(svg))
    write_out(tree, named_colors(dark=palette == DARK))
    drawing = tree.find(".//svg")
    for hidden in drawing.xpath(".//*[@opacity = '0']"):
        hidden.getparent().remove(hidden)
    for shape in drawing.iter():
        for name in ("class", "style", "data-step", "data-until", "pathLength"):
            shape.attrib.pop(name, None)
        if weight := shape.get("font-weight", "").removesuffix("50"):
            shape.set("font-weight", weight + "00" * (len(weight) == 1))
        if shape.attrib.pop("dominant-baseline", None) == "central":
            shape.set("dy", CENTER)  # which more viewers know
    body = "".join(etree.tostring(part, encoding="unicode") for part in drawing)
    return Plain(body, tuple(map(float, drawing.get("viewBox").split())), drawing.get("aria-label"))


def standalone(svg: str, palette: Palette = LIGHT, title: str = "") -> str:
    """A drawing made with `Canvas` as a file: colors written out, on paper, with its license.

    Args:
        palette: `LIGHT` or `DARK`, from `core.palette`.
        title: its name; the first sentence of its alternative text if left out.

    Raises:
        ValueError: as `plain`.
    """
    drawing = plain(svg, palette)
    x, y, width, height = drawing.box
    wide, tall = width + 2 * MARGIN, height + 2 * MARGIN + FOOT
    box = f"{x - MARGIN:g} {y - MARGIN:g} {wide:g} {tall:g}"
    return (
        f'<svg xmlns="{NAMESPACE}" viewBox="{box}" width="{wide:g}" height="{tall:g}" role="img" '
        f'font-family="{FONTS}"><title>{text(title or first_sentence(drawing.alt))}</title>'
        f"<desc>{text(drawing.alt)}</desc>"
        f"<metadata>{text(LICENSE)}, {LICENSE_ADDRESS}</metadata>"
        f'<rect x="{x - MARGIN:g}" y="{y - MARGIN:g}" width="{wide:g}" height="{tall:g}" '
        f'fill="{palette.paper}"/>{drawing.body}'
        f'<text x="{x + width:g}" y="{y + height + MARGIN + 4:g}" font-size="11" text-anchor="end" '
        f'fill="{palette.muted}">{text(LICENSE)}</text></svg>'
    )


def first_sentence(said: str) -> str:
    found = SENTENCE.match(said)
    return found[1] if found else said


def png(svg: str, width: int) -> bytes:
    """A file of `standalone` as pixels, the same on every machine.

    Args:
        width: in pixels.
    """
    from resvg_py import svg_to_bytes

    return svg_to_bytes(
        svg_string=svg,
        width=width,
        skip_system_fonts=True,
        font_files=[str(path) for path in fonts()],
        sans_serif_family="DejaVu Sans",
    )


@cache
def fonts() -> tuple[Path, ...]:
    """Font files from Python packages; DejaVu has the signs that Source Sans lacks."""
    import font_source_sans_pro
    import matplotlib

    letters = Path(font_source_sans_pro.font_directory)
    signs = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    return (
        *(letters / f"SourceSansPro-{weight}.ttf" for weight in ("Regular", "Semibold")),
        *(signs / f"DejaVuSans{weight}.ttf" for weight in ("", "-Bold")),
    )
