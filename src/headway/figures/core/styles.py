"""The styles of figures, plots and claims, as texts.

`core/base.css` is what all of them share: colors, frame and controls; `core/contents.css` is what
stands in them, and `core/handles.css` what is drawn on axes and taken hold of. A figure adds its
own `gallery/CHAPTER/NAME/figure.css`, a part of a page its `parts/NAME.css`, and the drawn machine
`machine/machine.css`. What some figures share is a sheet in `gallery/shared`, and each of them
begins with `@import "../../shared/NAME.css";`; a figure's own sheet may be in several, too, which
`figure.css` imports. The site links one sheet that holds everything once; an output in a live
notebook carries the base and its own.
"""

import re
from functools import cache
from pathlib import Path

from headway.figures.core.scripts import GALLERY, figure_folders

FIGURES = Path(__file__).parents[1]
# Colors, frame and controls; what stands in them; what is drawn on axes and taken hold of.
BASE = tuple(FIGURES / "core" / f"{name}.css" for name in ("base", "contents", "handles"))
IMPORT = re.compile(r'^@import "([^"]+)";\n+', re.MULTILINE)


@cache
def base_style() -> str:
    """What figures, plots and claims share."""
    return "\n".join(sheet.read_text(encoding="utf-8") for sheet in BASE)


@cache
def figure_style(name: str) -> str:
    """What one interactive figure adds to the base, with what it imports in front."""
    folder = figure_folders().get(name)
    sheet = folder / "figure.css" if folder else None
    return joined(sheet) if sheet and sheet.is_file() else ""


@cache
def part_style(name: str) -> str:
    """What one part of a page, "claim", adds to the base."""
    return (FIGURES / "parts" / f"{name}.css").read_text(encoding="utf-8")


@cache
def site_style() -> str:
    """Every sheet once: the base, the parts, the machine, what figures share, the figures."""
    sheets = [
        *BASE,
        *sorted((FIGURES / "parts").glob("*.css")),
        FIGURES / "machine" / "machine.css",
        *sorted(GALLERY.glob("shared/*.css")),
        *sorted(GALLERY.glob("*/*/*.css")),
    ]
    return "\n".join(IMPORT.sub("", sheet.read_text(encoding="utf-8")) for sheet in sheets)


def joined(sheet: Path) -> str:
    """A style sheet behind those that it imports.

    Raises:
        ValueError: if it imports one that is not there.
    """
    text = sheet.read_text(encoding="utf-8")
    imported = [sheet.parent / name for name in IMPORT.findall(text)]
    if absent := [path.name for path in imported if not path.is_file()]:
        raise ValueError(
            f"{sheet.parent.name}/{sheet.name} imports {absent[0]}, which is not there"
        )
    return "".join(joined(path) for path in imported) + IMPORT.sub("", text)
