"""Colors written out, for readers of books that know no custom properties and mix no colors."""

import re

from lxml.html import HtmlElement

from headway.figures.core.styles import base_style

ROOT = re.compile(r":root \{(.*?)\}", re.DOTALL)
PROPERTY = re.compile(r"--(hw-[\w-]+):\s*([^;]+);")
USED = re.compile(r"var\(--(hw-[\w-]+)\)")
DARK = re.compile(r'[^{}]*data-(?:theme="dark"|jp-theme-light="false")[^{}]*\{[^{}]*\}')
ROOT_EM = re.compile(r"(?<=[\d.])rem\b")  # some readers take it for a size of their own
SHARE = re.compile(r"--p:\s*([\d.]+)")
# As in machine/machine.css, parts/reading_map.css and gallery/shared/stepped/figure.css.
SHAPES = {
    "text": {"fill": "hw-ink", "font-size": "12.5", "text-anchor": "middle"},
    "rect": {"fill": "hw-paper", "stroke": "hw-edge", "stroke-width": "1.3"},
    "path": {"fill": "none", "stroke": "hw-edge", "stroke-width": "1.5"},
}
CLASSES = {
    "hw-frame": {"fill": "hw-panel"},
    "hw-is-query": {"stroke": "hw-query"},
    "hw-is-key": {"stroke": "hw-key"},
    "hw-is-value": {"stroke": "hw-value"},
    "hw-is-residual": {"stroke": "hw-residual"},
}
SIZES = {"hw-word": "17", "hw-big": "16", "hw-note": "12"}
ANCHORS = {"hw-start": "start", "hw-end": "end"}
TONE = re.compile(r"\bhw-of-(\w+)")
TONES = {"faint": "hw-line"}  # those not called as their color is
MOST = 0.45  # of a cell's color, as in parts/grid.css


def light() -> dict[str, str]:
    """The custom properties on light paper: "hw-blue" and so on."""
    return dict(PROPERTY.findall(ROOT.search(base_style())[1]))


def written_out(style: str) -> str:
    """A style sheet for light paper, with colors in place of their names, and sizes in em."""
    known = light()
    plain = USED.sub(lambda use: known.get(use[1], use[0]), DARK.sub("", style))
    return ROOT_EM.sub("em", plain)


def color_cells(page: HtmlElement) -> None:
    """Give the cells of matrices the color that a browser mixes from `--p`."""
    known = light()
    for table in page.find_class("hw-matrix"):
        roles = [name.removeprefix("hw-role-") for name in table.classes if "hw-role-" in name]
        hue = known.get(f"hw-{roles[0]}" if roles else "", known["hw-ochre"])
        for cell in table.xpath(".//td[@style]"):
            share = SHARE.search(cell.get("style"))
            if share:
                own = known["hw-edge"] if "hw-minus" in cell.classes else hue
                color = mixed(own, known["hw-panel"], MOST * float(share[1]))
                cell.set("style", f"background-color: {color}")


def color_drawings(page: HtmlElement) -> None:
    """Give the shapes of drawings what style sheets say, for readers that apply none to them."""
    known = light()
    for drawing in page.iter("svg"):
        large = "hw-drawing" in drawing.getparent().classes
        for shape in drawing.iter(*SHAPES):
            found = large_attributes_of(shape, known) if large else attributes_of(shape)
            for name, value in found.items():
                shape.set(name, known.get(value, value))


def attributes_of(shape: HtmlElement) -> dict[str, str]:
    """Presentation attributes of a shape: of its kind, and then of its classes."""
    around = [one.get("class") or "" for one in (shape, shape.getparent())]
    found = dict(SHAPES[shape.tag])
    for name, more in CLASSES.items():
        if any(name in classes.split() for classes in around):
            found |= {key: value for key, value in more.items() if shape.tag in ("rect", "path")}
    return found


def large_attributes_of(shape: HtmlElement, known: dict[str, str]) -> dict[str, str]:
    """Presentation attributes of a shape in a large drawing (gallery/shared/drawn.py)."""
    own = (shape.get("class") or "").split()
    tone = TONE.search(f"{shape.get('class')} {shape.getparent().get('class')}")
    hue = known[TONES.get(tone[1], f"hw-{tone[1]}")] if tone else known["hw-ink"]
    if shape.tag == "text":
        return {
            "fill": hue if "hw-toned" in own else "hw-muted" if "hw-note" in own else "hw-ink",
            "font-size": next((SIZES[name] for name in own if name in SIZES), "13"),
            "text-anchor": next((ANCHORS[name] for name in own if name in ANCHORS), "middle"),
        }
    if shape.tag == "path":
        return {"fill": "none", "stroke": hue}
    if "hw-cell" in own:
        share = float(SHARE.search(shape.get("style"))[1]) / 100
        return {"fill": mixed(hue, known["hw-paper"], share)}
    if "hw-column" in own:
        return {"fill": hue}
    if "hw-toned" in own:
        return {"fill": mixed(hue, known["hw-paper"], 0.14), "stroke": hue}
    return {"fill": "hw-panel", "stroke": "hw-edge"}


def mixed(one: str, other: str, share: float) -> str:
    """Two colors as "#rrggbb", mixed: a share of the one, the rest of the other."""
    pairs = zip(parts(one), parts(other), strict=True)
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in pairs)


def parts(color: str) -> list[int]:
    return [int(color[i : i + 2], 16) for i in (1, 3, 5)]
