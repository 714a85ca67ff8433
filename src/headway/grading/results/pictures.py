"""Pictures of strangers that a browser can draw: what they take there is bounded by what they say.

A few kilobytes can ask for gigabytes, or for minutes: a picture of one color, of 20,000 by 20,000
pixels, one that moves, or one that is told in thousands of passes. Of drawings (SVG) nobody can
tell what they ask for, so no page shows any.
"""

import base64
from io import BytesIO

from PIL import Image

MAX_PIXELS = 25_000_000
MAX_SCANS = 50  # of a JPEG, each of which goes over all of it; programs write some ten
SCAN, FRAME = b"\xff\xda", b"fcTL"


def pixels_of(data: str) -> int:
    """How many pixels a picture has, in all its frames, PNG or JPEG in Base64; 0 if it is none."""
    try:
        content = base64.b64decode(data)
        with Image.open(BytesIO(content), formats=("PNG", "JPEG")) as picture:
            width, height = picture.size
            is_png = picture.format == "PNG"
    except Exception:  # whatever it is, it is no picture
        return 0
    if is_png:
        return width * height * max(1, content.count(FRAME))
    return width * height if content.count(SCAN) <= MAX_SCANS else 0


def is_small(data: str) -> bool:
    """Whether it is a picture and has no more pixels than one of a page may have."""
    return 0 < pixels_of(data) <= MAX_PIXELS
