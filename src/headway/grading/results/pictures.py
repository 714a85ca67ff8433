"""Pictures of strangers that a browser can draw: what they take there is bounded by what they say.

A few kilobytes can ask for gigabytes, or for minutes: a picture of one color, of 20,000 by 20,000
pixels, or a drawing in which a shape is used ten times by what is used ten times, and so on, or is
cut by shapes that are cut by shapes.
"""

import base64
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
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
ADDRESS = re.compile(r"url\(\s*([\"']?)#([\w.:-]+)\1\s*\)", re.IGNORECASE)
NAMED = {"clipPath", "linearGradient", "radialGradient"}  # what such an address may lead to
# Properties that styles may set: colors, lines and letters. Others make a browser compute for
# minutes, or hand on what cuts.
STYLED = frozenset(
    (  # noqa: SIM905 - a list of fifty strings is harder to read
        "alignment-baseline baseline-shift clip-path clip-rule color color-interpolation "
        "color-rendering cursor direction display dominant-baseline fill fill-opacity fill-rule "
        "font font-family font-feature-settings font-kerning font-size font-size-adjust "
        "font-stretch font-style font-variant font-variant-caps font-variant-east-asian "
        "font-variant-ligatures font-variant-numeric font-variant-position font-weight height "
        "image-rendering letter-spacing line-height opacity overflow paint-order pointer-events "
        "shape-rendering stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset "
        "stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-align "
        "text-anchor text-decoration text-indent text-rendering text-transform transform "
        "transform-box transform-origin unicode-bidi vector-effect vertical-align visibility "
        "white-space width word-spacing writing-mode"
    ).split()
)
HEAVY = {"filter", "mask", "marker", "marker-start", "marker-mid", "marker-end", "pathLength"}
SHEET = re.compile(r"(?:[^{}@\\]*\{[^{}@\\]*\})*\s*")
BLOCK = re.compile(r"\{([^{}]*)\}")
DASHES = "stroke-dasharray"
MAX_DASHES = 50_000_000  # some seconds
NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
# How much longer than the sum of its numbers a line can be: a circle around, an inch in pixels.
AROUND, INCH = 7, 96
SIDES = {"x", "y", "width", "height", "r", "rx", "ry", "cx", "cy", "x1", "x2", "y1", "y2"}


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
    cut_by = [name for one in elements for name in _addresses(one)]
    reused = set(used)
    return (
        {_name(one.tag) for one in elements} <= DRAWN
        and all(map(_looks_plain, elements))
        and all(kinds.get(name, {""}) <= SHAPES for name in used)
        and all(kinds.get(name, set()) <= NAMED for name in cut_by)
        and not any(_addresses(one) for one in elements if one.get("id") in reused)
        and all(map(_cuts_simply, elements))
        and sum(sizes[name] for name in (*used, *cut_by)) <= MAX_REPEATED
        and _dashes(elements, used) <= MAX_DASHES
        and not has_towers("".join(elements[0].itertext()))
    )


def _used_by(element: Element) -> Iterable[str]:
    if _name(element.tag) == "use":
        for key, value in element.attrib.items():
            if _name(key) == "href":
                yield value.removeprefix("#")


def _addresses(element: Element) -> list[str]:
    looks = f"{element.get(CUT, '')} {element.get('style', '')}"
    return [name for _, name in ADDRESS.findall(looks)]


def _looks_plain(element: Element) -> bool:
    """Whether its attributes and styles say nothing but how it is filled, drawn and cut."""
    if HEAVY & set(map(_name, element.keys())):
        return False
    if not all(_is_plain(*one) for one in _styles(element)):
        return False
    if _name(element.tag) != "style":
        return True
    text = "".join(element.itertext())
    return bool(SHEET.fullmatch(text)) and not any(
        "url(" in value.lower() or name == CUT for name, value in _rules(text)
    )


def _styles(element: Element) -> Iterator[tuple[str, str]]:
    """The properties that an element sets, in its style or for others, and how it is cut."""
    yield from _declarations(element.get("style", ""))
    if CUT in element.attrib:
        yield CUT, element.attrib[CUT].strip()
    if _name(element.tag) == "style":
        yield from _rules("".join(element.itertext()))


def _rules(sheet: str) -> Iterator[tuple[str, str]]:
    for block in BLOCK.findall(sheet):
        yield from _declarations(block)


def _declarations(text: str) -> Iterator[tuple[str, str]]:
    for part in text.split(";"):
        name, _, value = part.partition(":")
        if part.strip():
            yield name.strip().lower(), value.strip()


def _is_plain(name: str, value: str) -> bool:
    if name not in STYLED or "\\" in value:  # which can spell any word
        return False
    if name == CUT:
        return value.lower() == "none" or bool(ADDRESS.fullmatch(value))
    return value.lower().count("url(") == len(ADDRESS.findall(value))


def _cuts_simply(element: Element) -> bool:
    """Whether it cuts by one shape at most, and by none that is itself cut."""
    if _name(element.tag) != "clipPath":
        return True
    inside = list(element)
    return (
        len(inside) <= 1
        and all(_name(one.tag) in SHAPES for one in inside)
        and not any({*one.keys()} & {CUT, "style"} for one in (element, *inside))
    )


def _dashes(elements: list[Element], used: list[str]) -> float:
    """How many dashes there can be at most, if all is drawn with the shortest ones."""
    told = [one.get(DASHES, "") for one in elements]
    told += [value for one in elements for name, value in _styles(one) if name == DASHES]
    periods = [sum(map(abs, map(float, NUMBER.findall(text)))) for text in told]
    shortest = min((period for period in periods if period), default=math.inf)
    lengths: Counter[str | None] = Counter()
    for one in elements:
        lengths[one.get("id")] += _length(one)
    return AROUND * (lengths.total() + sum(lengths[name] for name in used)) / shortest


def _length(element: Element) -> float:
    if _name(element.tag) not in SHAPES:
        return 0.0
    lines = sum(
        abs(float(number))
        for name in ("d", "points")
        for number in NUMBER.findall(element.get(name, ""))
    )
    sides = (
        abs(float(number)) * (1 if value.strip() == number else INCH)
        for name, value in element.attrib.items()
        if name in SIDES
        for number in NUMBER.findall(value)
    )
    return lines + sum(sides)


def _size(element: Element) -> int:
    return sum(map(len, element.attrib.values()))


def _name(tag: object) -> str:
    """The name without its namespace; empty for what is no element."""
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""
