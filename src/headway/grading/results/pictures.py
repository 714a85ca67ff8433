"""Pictures of strangers that a browser can draw: what they take there is bounded by what they say.

A few kilobytes can ask for gigabytes, or for minutes: a picture of one color, of 20,000 by 20,000
pixels, or a drawing in which a shape is used ten times by what is used ten times, and so on, or is
cut by shapes that are cut by shapes.
"""

import base64
import re
from collections import Counter
from collections.abc import Iterable
from io import BytesIO
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from PIL import Image

from headway.grading.results.towers import has_towers

MAX_PIXELS = 25_000_000
MAX_REPEATED = 500_000  # characters of shapes, each time that one is used again or cut by
SHAPES = {"path", "rect", "circle", "ellipse", "line", "polyline", "polygon"}
# What Matplotlib's drawings are made of, but for patterns.
DRAWN = SHAPES | {
    *("svg", "g", "defs", "use", "text", "tspan", "style", "title", "desc", "clipPath"),
    *("linearGradient", "radialGradient", "stop"),
    *("metadata", "RDF", "Work", "type", "date", "format", "creator", "Agent"),
}


CUT = "clip-path"
ADDRESS = re.compile(r"url\(([\"']?)#([\w.:-]+)\1\)", re.IGNORECASE)
NAMED = {"clipPath", "linearGradient", "radialGradient"}  # what such an address may lead to
# In the rules of a style, what leads to other rules or cuts.
RULES = ("clip", "url", "\\", "@import")


def pixels_of(data: str) -> int:
    """How many pixels a picture has, PNG or JPEG in Base64; 0 if it is none."""
    try:
        with Image.open(BytesIO(base64.b64decode(data)), formats=("PNG", "JPEG")) as picture:
            width, height = picture.size
    except Exception:  # whatever it is, it is no picture
        return 0
    return width * height


def is_small(data: str) -> bool:
    """Whether it is a picture and has no more pixels than one of a page may have."""
    return 0 < pixels_of(data) <= MAX_PIXELS


def is_plain_drawing(svg: str) -> bool:
    """Whether a drawing has nothing but shapes and text, and repeats nothing but single shapes."""
    if "<!ENTITY" in svg:
        return False
    try:
        elements = list(ElementTree.fromstring(svg).iter())
    except (ElementTree.ParseError, ValueError, RecursionError):
        return False
    kinds: dict[str | None, set[str]] = {}
    sizes: Counter[str | None] = Counter()
    for one in elements:
        kinds.setdefault(one.get("id"), set()).add(_name(one.tag))
        sizes[one.get("id")] += _size(one) + sum(map(_size, one)) * (_name(one.tag) == "clipPath")
    used = [name for one in elements for name in _used_by(one)]
    cut_by = [name for one in elements for name in _cut_by(one)]
    reused = set(used)
    return (
        {_name(one.tag) for one in elements} <= DRAWN
        and all(kinds.get(name, {""}) <= SHAPES for name in used)
        and all(kinds.get(name, {""}) <= NAMED for name in cut_by)
        and not any(_cut_by(one) for one in elements if one.get("id") in reused)
        and all(map(_cuts_simply, elements))
        and sum(sizes[name] for name in (*used, *cut_by)) <= MAX_REPEATED
        and not has_towers("".join(elements[0].itertext()))
    )


def _used_by(element: Element) -> Iterable[str]:
    if _name(element.tag) == "use":
        for key, value in element.attrib.items():
            if _name(key) == "href":
                yield value.removeprefix("#")


def _cut_by(element: Element) -> list[str]:
    return [name for _, name in ADDRESS.findall(_looks(element))]


def _looks(element: Element) -> str:
    """What an element says of itself that can cut it."""
    return f"{element.get(CUT, '')} {element.get('style', '')}"


def _cuts_simply(element: Element) -> bool:
    """Whether nothing is cut by several shapes or by a shape that is itself cut."""
    looks = _looks(element)
    # A backslash can spell any word; and each address has to be one that is understood here.
    if "\\" in looks or looks.lower().count("url") != len(ADDRESS.findall(looks)):
        return False
    match _name(element.tag):
        case "style":
            text = "".join(element.itertext()).lower()
            return not any(word in text for word in RULES)
        case "clipPath":
            inside = list(element)
            return (
                len(inside) <= 1
                and all(_name(one.tag) in SHAPES for one in inside)
                and not any({*one.keys()} & {CUT, "style"} for one in (element, *inside))
            )
    return True


def _size(element: Element) -> int:
    return sum(map(len, element.attrib.values()))


def _name(tag: object) -> str:
    """The name without its namespace; empty for what is no element."""
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""
