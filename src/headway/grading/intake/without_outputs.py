"""Taking out of a notebook's file what grading never looks at: outputs, pasted pictures, widgets.

A student's run may have printed thirty megabytes, and the answers in the same file are a few
kilobytes. What is left is what counts for all limits, and what goes on from here.

The file is untrusted and need not be JSON. So nothing is parsed: brackets outside of texts are
counted, in time and memory that grow with the file and with nothing else.
"""

import re

import numpy as np

from headway.grading.notebooks.assignment import MAX_CELLS

SMALL = 1_000_000  # bytes; so small a file is quickly read as it is
MAX_BRACKETS = 10_000_000  # as many as 200 MB of small outputs hold
BLOCK = 1 << 22  # bytes looked at in one go
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
    if len(raw) <= SMALL:
        return raw
    # Escapes stand within texts only. Something of their length goes in their place.
    plain = raw.replace(b"\\\\", b"__").replace(b'\\"', b"__")
    brackets = _brackets(plain)
    if brackets is None:
        return raw
    places, depth = brackets
    view, kept, end = memoryview(raw), [], 0
    while (match := LEFT_OUT.search(plain, end)) and len(kept) <= 2 * MAX_CELLS:
        begin = match.end()  # behind the bracket that opens
        opened = int(np.searchsorted(places, begin - 1))
        if opened == len(places) or places[opened] != begin - 1:
            break  # in a text, where JSON has no quotation marks of their own
        closed = _first_below(depth, opened + 1, depth[opened])
        if closed is None:
            break
        kept.append(view[end:begin])
        end = int(places[closed])
    return b"".join([*kept, view[end:]]) if kept else raw


def _brackets(plain: bytes) -> tuple[np.ndarray, np.ndarray] | None:
    """Where the brackets outside of texts are, and the depth behind each; None for too many."""
    places, steps, found, in_text = [], [], 0, False
    for start in range(0, len(plain), BLOCK):
        letters = np.frombuffer(plain[start : start + BLOCK], np.uint8)
        # From a text's first quotation mark on.
        within = np.logical_xor.accumulate(letters == QUOTE) ^ in_text
        here = STEPS[letters]
        here[within] = 0
        in_text = within[-1]
        places.append(start + np.flatnonzero(here))
        steps.append(here[places[-1] - start])
        found += len(places[-1])
        if found > MAX_BRACKETS:
            return None
    return np.concatenate(places), np.cumsum(np.concatenate(steps), dtype=np.int32)


def _first_below(depth: np.ndarray, start: int, level: int) -> int | None:
    """The first place from `start` on where the depth is below a level."""
    width = 64
    while start < len(depth):
        below = depth[start : start + width] < level
        if below.any():
            return start + int(below.argmax())
        start, width = start + width, width * 2
    return None
