"""Colors written out, for readers of books that know no custom properties and mix no colors."""

import re

from lxml.html import HtmlElement

from headway.figures.core.cascade import mixed, named_colors

USED = re.compile(r"var\(--(hw-[\w-]+)\)")
DARK = re.compile(r'[^{}]*data-(?:theme="dark"|jp-theme-light="false")[^{}]*\{[^{}]*\}')
MOVING = re.compile(r"@starting-style\s*\{[^{}]*\}")
ROOT_EM = re.compile(r"(?<=[\d.])rem\b")  # some readers take it for a size of their own
SHARE = re.compile(r"--p:\s*([\d.]+)")
MOST = 0.45  # of a cell's color, as in parts/grid.css


def written_out(style: str) -> str:
    """A style sheet for light paper, with colors in place of their names, and sizes in em."""
    known = named_colors()
    still = MOVING.sub("", DARK.sub("", style))
    plain = USED.sub(lambda use: known.get(use[1], use[0]), still)
    return ROOT_EM.sub("em", plain)


def color_cells(page: HtmlElement) -> None:
    """Give the cells of matrices the color that a browser mixes from `--p`."""
    known = named_colors()
    for table in page.find_class("hw-matrix"):
        roles = [name.removeprefix("hw-role-") for name in table.classes if "hw-role-" in name]
        hue = known.get(f"hw-{roles[0]}" if roles else "", known["hw-ochre"])
        for cell in table.xpath(".//td[@style]"):
            share = SHARE.search(cell.get("style"))
            if share:
                own = known["hw-edge"] if "hw-minus" in cell.classes else hue
                color = mixed(own, known["hw-panel"], MOST * float(share[1]))
                cell.set("style", f"background-color: {color}")
