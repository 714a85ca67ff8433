"""The picture by which a page is announced where somebody shares its address: 1200 by 630 pixels.

A chapter's card has its number, its title and its drawing; the course's card has the drawing of
the translator. Both are made of the built pages.
"""

import base64
import hashlib
import re
import shutil
from functools import cache
from pathlib import Path

from headway.chapters import CHAPTERS
from headway.checkout import course_root
from headway.figures.core.page import text
from headway.figures.core.palette import LIGHT
from headway.figures.core.standalone import FONTS, NAMESPACE, fonts, plain, png

WIDTH, HEIGHT = 1200, 630
EDGE, COLUMN = 64, 356  # of the card, and how wide the title may be
PANEL = (456, 44, 700, 542)  # what the drawing is on: x, y, width, height
INSET = 22
GROUND, BRAND = "#eef3f7", "#0b4f79"
LARGE, SMALL = 56, 40  # sizes of a title; the first that fits
LINES = 4
COURSE, SUBTITLE, PROMISE = (
    "Headway",
    "From one-hot to the KV\xa0cache",
    "Build every part yourself",
)
ON_COURSE_CARD = "13-translator"
DRAWING = re.compile(r'<div class="hw-drawing[^>]*>(<svg.*?</svg>)', re.DOTALL)


def write_cards(site: Path, folder: Path, kept: Path) -> None:
    """Write the cards of all chapters that the site has, and the course's.

    Args:
        site: the folder of the pages.
        folder: where the cards go, as NAME.png; the course's is `course.png`.
        kept: a folder of cards that were made before, which need not be made again.
    """
    pages = {chapter: site / f"{chapter.name}.html" for chapter in CHAPTERS}
    drawings = {chapter: drawing_of(page) for chapter, page in pages.items() if page.is_file()}
    cards = {
        chapter.name: card(f"Chapter {chapter.number}", chapter.title, drawing)
        for chapter, drawing in drawings.items()
    }
    of_course = (drawing for chapter, drawing in drawings.items() if chapter.name == ON_COURSE_CARD)
    cards["course"] = card("A course on the Transformer", SUBTITLE, next(of_course, ""))
    for one in (folder, kept):
        one.mkdir(parents=True, exist_ok=True)
    for name, made in cards.items():
        known = kept / f"{hashlib.sha256(made.encode()).hexdigest()[:16]}.png"
        if not known.is_file():
            known.write_bytes(png(made, WIDTH))
        shutil.copyfile(known, folder / f"{name}.png")


def drawing_of(page: Path) -> str:
    """The first large drawing of a built page, or ""."""
    found = DRAWING.search(page.read_text(encoding="utf-8"))
    return found[1] if found else ""


def card(above: str, title: str, drawing: str) -> str:
    """A card as SVG.

    Args:
        above: what is in small letters above the title.
        drawing: SVG as from `Canvas`, or "".
    """
    lines, size = set_title(title)
    top = HEIGHT / 2 - (len(lines) - 1) * size * 0.56
    written = "".join(
        f'<text x="{EDGE}" y="{top + i * size * 1.12:.1f}" font-size="{size}" font-weight="600" '
        f'letter-spacing="-0.5" fill="{LIGHT.ink}">{text(line)}</text>'
        for i, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="{NAMESPACE}" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="{FONTS}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{GROUND}"/>'
        f'<image href="{logo()}" x="{EDGE}" y="52" width="52" height="52"/>'
        f'<text x="{EDGE + 68}" y="90" font-size="36" font-weight="600" fill="{BRAND}">{COURSE}'
        f'</text><text x="{EDGE}" y="{top - size - 14:.1f}" font-size="27" fill="{BRAND}">'
        f"{text(above)}</text>{written}"
        f'<text x="{EDGE}" y="{HEIGHT - 56}" font-size="24" fill="{LIGHT.muted}">'
        f"{PROMISE if title == SUBTITLE else SUBTITLE}</text>"
        f"{panel(drawing)}</svg>"
    )


def panel(drawing: str) -> str:
    """The drawing on its paper, as large as it can be."""
    x, y, width, height = PANEL
    paper = (
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="14" fill="{LIGHT.paper}" '
        f'stroke="{LIGHT.line}"/>'
    )
    if not drawing:
        return ""
    drawn = plain(drawing)
    box = " ".join(f"{edge:g}" for edge in drawn.box)
    return (
        f'{paper}<svg x="{x + INSET}" y="{y + INSET}" width="{width - 2 * INSET}" '
        f'height="{height - 2 * INSET}" viewBox="{box}" preserveAspectRatio="xMidYMid meet">'
        f"{drawn.body}</svg>"
    )


def set_title(title: str) -> tuple[list[str], int]:
    """The lines of a title, and the size in which they fit."""
    for size in range(LARGE, SMALL, -2):
        lines = broken(title, size)
        if len(lines) <= LINES and all(length(line, size) <= COLUMN for line in lines):
            return lines, size
    return broken(title, SMALL), SMALL


def broken(title: str, size: int) -> list[str]:
    """A title in lines that fit, as far as its words do."""
    lines: list[str] = []
    for word in title.split(" "):
        if lines and length(f"{lines[-1]} {word}", size) <= COLUMN:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def length(line: str, size: int) -> float:
    return semibold(size).getlength(line)


@cache
def semibold(size: int):
    from PIL import ImageFont

    return ImageFont.truetype(fonts()[1], size)


@cache
def logo() -> str:
    data = (course_root() / "book" / "_static" / "logo.svg").read_bytes()
    return f"data:image/svg+xml;base64,{base64.b64encode(data).decode()}"
