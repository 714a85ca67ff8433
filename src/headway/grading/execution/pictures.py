"""Pictures of strangers that a browser can draw: what they take there is bounded by what they say.

A few kilobytes can ask for gigabytes, or for minutes: a picture of one color, of 20,000 by 20,000
pixels, one that moves, or one that is told in thousands of passes.
"""

import base64
from io import BytesIO

from PIL import Image

PICTURES = {"image/png": "PNG", "image/jpeg": "JPEG"}
MAX_PIXELS = 25_000_000
MAX_SCANS = 50  # of a JPEG, each of which goes over all of it; programs write some ten
SCAN, FRAME = b"\xff\xda", b"fcTL"


def pixels_of(data: object, kind: str) -> int:
    """How many pixels a picture in Base64 has, in all its frames; 0 if no page shows it.

    Args:
        kind: what it is said to be, a key of `PICTURES`.
    """
    try:
        content = base64.b64decode(data)
        with Image.open(BytesIO(content), formats=(PICTURES[kind],)) as picture:
            width, height = picture.size
    except Exception:  # whatever it is, it is no picture
        return 0
    pixels = width * height * max(1, content.count(FRAME) if kind == "image/png" else 1)
    many = kind == "image/jpeg" and content.count(SCAN) > MAX_SCANS
    return 0 if many or pixels > MAX_PIXELS else pixels
