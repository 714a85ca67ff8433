"""Pictures of strangers that a browser can draw: what they take there is bounded by what they say.

A few kilobytes can ask for gigabytes: a picture of one color, of 20,000 by 20,000 pixels, or a
drawing in which a shape is used ten times by what is used ten times, and so on.
"""

import base64
from io import BytesIO
from xml.etree import ElementTree

from PIL import Image

MAX_PIXELS = 25_000_000
SHAPES = {"path", "rect", "circle", "ellipse", "line", "polyline", "polygon"}
# What Matplotlib's drawings are made of, but for patterns.
DRAWN = SHAPES | {
    *("svg", "g", "defs", "use", "text", "tspan", "style", "title", "desc", "clipPath"),
    *("linearGradient", "radialGradient", "stop"),
    *("metadata", "RDF", "Work", "type", "date", "format", "creator", "Agent"),
}


def is_small(data: str) -> bool:
    """Whether a picture, PNG or JPEG in Base64, has no more pixels than a page may show."""
    try:
        with Image.open(BytesIO(base64.b64decode(data)), formats=("PNG", "JPEG")) as picture:
            width, height = picture.size
    except Exception:  # whatever it is, it is no picture
        return False
    return width * height <= MAX_PIXELS


def is_plain_drawing(svg: str) -> bool:
    """Whether a drawing has nothing but shapes and text, and uses again nothing but a shape."""
    if "<!ENTITY" in svg:
        return False
    try:
        elements = [(_name(one.tag), one.attrib) for one in ElementTree.fromstring(svg).iter()]
    except (ElementTree.ParseError, ValueError, RecursionError):
        return False
    kinds: dict[str | None, set[str]] = {}
    for name, attributes in elements:
        kinds.setdefault(attributes.get("id"), set()).add(name)
    used = [
        value.removeprefix("#")
        for name, attributes in elements
        for key, value in attributes.items()
        if name == "use" and _name(key) == "href"
    ]
    return {name for name, _ in elements} <= DRAWN and all(
        kinds.get(one, {""}) <= SHAPES for one in used
    )


def _name(tag: object) -> str:
    """The name without its namespace; empty for what is no element."""
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""
