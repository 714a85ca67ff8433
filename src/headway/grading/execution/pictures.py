"""Draw untrusted pictures again, so that a browser only gets files that we have written.

A few kilobytes can take gigabytes or minutes to draw: a picture of one color with 20,000 by 20,000
pixels, an animation, or a JPEG with thousands of scans. A file can also tell two programs different
things, for instance by two headers, or carry something else behind its end. So a picture is decoded
once, under limits, and only its pixels are kept; of an animation, those of the first frame.
"""

import base64
import warnings
from io import BytesIO
from typing import NamedTuple

from PIL import Image

PICTURES = {"image/png": "PNG", "image/jpeg": "JPEG"}
MAX_PIXELS = 25_000_000
MAX_SCANS = 50  # of a JPEG; each scan covers the whole picture, and ten are usual
SCAN = b"\xff\xda"
QUALITY = 90  # of a JPEG


class Picture(NamedTuple):
    """A picture that is safe to show.

    Attributes:
        data: the file in Base64.
        pixels: how many it has.
    """

    data: str
    pixels: int


def drawn_again(data: object, kind: str) -> Picture | None:
    """The same picture in a new file; None if it should not be shown.

    Args:
        data: a file in Base64, which may be broken into lines.
        kind: its claimed media type, a key of `PICTURES`.
    """
    try:
        content = base64.b64decode("".join(data.split()), validate=True)
        if kind == "image/jpeg" and content.count(SCAN) > MAX_SCANS:
            return None
        with warnings.catch_warnings(action="ignore"):  # about animations
            return _drawn(content, PICTURES[kind])
    except Exception:  # not a picture
        return None


def _drawn(content: bytes, form: str) -> Picture | None:
    with Image.open(BytesIO(content), formats=(form,)) as picture:
        if _pixels(picture) > MAX_PIXELS:
            return None
        picture.load()
        shown = picture.copy()
    # Without the rest, such as comments, color profiles and a camera's notes.
    shown.info = {name: x for name, x in shown.info.items() if name == "transparency"}
    file = BytesIO()
    shown.save(file, form, quality=QUALITY)
    return Picture(base64.b64encode(file.getvalue()).decode(), _pixels(shown))


def _pixels(picture: Image.Image) -> int:
    return picture.width * picture.height
