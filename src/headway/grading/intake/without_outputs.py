"""Taking out of a notebook's file what grading never looks at: outputs, pasted pictures, widgets.

A student's run may have printed thirty megabytes, and the answers in the same file are a few
kilobytes. What is left is what counts for all limits, and what goes on from here.

The file is untrusted and need not be JSON. So nothing is parsed: brackets outside of texts are
counted, in time and memory that grow with the file and with nothing else.
"""

import re

import numpy as np

from headway.grading.notebooks.assignment import MAX_CELLS

SMALL = 1_000_000  # bytes; a smaller file is quickly read as it is
MAX_BRACKETS = 10_000_000  # more than 50 MB of outputs hold
LEFT_OUT = re.compile(rb'"(?:outputs|attachments|widgets)"\s*:\s*[\[{]')
QUOTE = ord('"')
STEPS = np.zeros(256, np.int8)
STEPS[list(b"[{")], STEPS[list(b"]}")] = 1, -1


def without_outputs(raw: bytes) -> bytes:
    """The file with empty lists and objects in place of these.

    It stays as it is where it is small, where brackets do not pair, and where there are too many.

    Args:
        raw: a file that was handed in.
    """
    if len(raw) < SMALL:
        return raw
    # Escapes stand within texts only. Something of their length goes in their place.
    plain = raw.replace(b"\\\\", b"__").replace(b'\\"', b"__")
    letters = np.frombuffer(plain, np.uint8)
    in_text = np.logical_xor.accumulate(letters == QUOTE)  # from a text's first quotation mark on
    steps = STEPS[letters]
    steps[in_text] = 0
    if np.count_nonzero(steps) > MAX_BRACKETS:
        return raw
    places = np.flatnonzero(steps)
    depth = np.cumsum(steps[places], dtype=np.int32)
    kept, end, found = [], 0, 0
    for match in LEFT_OUT.finditer(plain):
        begin = match.end()  # behind the bracket that opens
        if match.start() < end or not in_text[match.start()] or in_text[begin - 1]:
            continue  # in what is left out, or in a text
        found += 1
        opened = int(np.searchsorted(places, begin - 1))
        closed = _first_below(depth, opened + 1, depth[opened])
        if closed is None or found > 2 * MAX_CELLS:
            break
        kept.append(raw[end:begin])
        end = int(places[closed])
    return b"".join([*kept, raw[end:]])


def _first_below(depth: np.ndarray, start: int, level: int) -> int | None:
    """The first place from `start` on where the depth is below a level."""
    width = 64
    while start < len(depth):
        below = depth[start : start + width] < level
        if below.any():
            return start + int(below.argmax())
        start, width = start + width, width * 2
    return None
