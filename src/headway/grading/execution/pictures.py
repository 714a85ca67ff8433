"""Check that untrusted pictures do not take a browser too much memory or time.

A few kilobytes can take gigabytes or minutes to draw: a picture of one color with 20,000 by 20,000
pixels, an animation, or a JPEG with thousands of scans.
"""

import base64
from io import BytesIO

from PIL import Image

PICTURES = {"image/png": "PNG", "image/jpeg": "JPEG"}
MAX_PIXELS = 25_000_000
MAX_SCANS = 50  # of a JPEG; each scan covers the whole picture, and ten are usual
SCAN, FRAME = b"\xff\xda", b"fcTL"


def pixels_of(data: object, kind: str) -> int:
    """How many pixels a Base64 picture has in all its frames; 0 if it should not be shown.

    Args:
        kind: its claimed media type, a key of `PICTURES`.
    """
    try:
        content = base64.b64decode(data)
        with Image.open(BytesIO(content), formats=(PICTURES[kind],)) as picture:
            width, height = picture.size
    except Exception:  # not a picture
        return 0
    pixels = width * height * max(1, content.count(FRAME) if kind == "image/png" else 1)
    many = kind == "image/jpeg" and content.count(SCAN) > MAX_SCANS
    return 0 if many or pixels > MAX_PIXELS else pixels
