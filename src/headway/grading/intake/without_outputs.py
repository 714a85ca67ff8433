"""Remove outputs, pasted pictures and widgets, which grading ignores, from a notebook file.

A notebook may have thirty megabytes of outputs but only a few kilobytes of answers. All limits
apply to what is left, and only that is passed on.

The file is untrusted and may not be JSON. So it is not parsed: the code counts brackets outside of
strings, in time and memory proportional to the file's size.
"""

import re

import numpy as np

from headway.grading.notebooks.assignment import MAX_CELLS

SMALL = 1_000_000  # bytes; smaller files are left unchanged
MAX_BRACKETS = 10_000_000  # as many as in 200 MB of small outputs
BLOCK = 1 << 22  # bytes processed at a time
LEFT_OUT = re.compile(rb'"(?:outputs|attachments|widgets)"\s*:\s*[\[{]')
QUOTE = ord('"')
STEPS = np.zeros(256, np.int8)
STEPS[list(b"[{")], STEPS[list(b"]}")] = 1, -1


def without_outputs(raw: bytes) -> bytes:
    """The file with empty lists and objects in place of outputs, pictures and widgets.

    It is unchanged if it is small, or if its brackets do not match or are too many.

    Args:
        raw: a submitted file.
    """
    if len(raw) <= SMALL:
        return raw
    # Escapes occur only within strings. Replace them by text of the same length.
    plain = raw.replace(b"\\\\", b"__").replace(b'\\"', b"__")
    brackets = _brackets(plain)
    if brackets is None:
        return raw
    places, depth = brackets
    view, kept, end = memoryview(raw), [], 0
    while (match := LEFT_OUT.search(plain, end)) and len(kept) <= 2 * MAX_CELLS:
        begin = match.end()  # after the opening bracket
        opened = int(np.searchsorted(places, begin - 1))
        if opened == len(places) or places[opened] != begin - 1:
            break  # the match is within a string, so the file is not JSON
        closed = _first_below(depth, opened + 1, depth[opened])
        if closed is None:
            break
        kept.append(view[end:begin])
        end = int(places[closed])
    return b"".join([*kept, view[end:]]) if kept else raw


def _brackets(plain: bytes) -> tuple[np.ndarray, np.ndarray] | None:
    """The positions of brackets outside of strings, and the depth after each; None for too many."""
    places, steps, found, in_text = [], [], 0, False
    for start in range(0, len(plain), BLOCK):
        letters = np.frombuffer(plain[start : start + BLOCK], np.uint8)
        # True from a string's opening quotation mark on.
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
    """The first index from `start` on at which the depth is below a level."""
    width = 64
    while start < len(depth):
        below = depth[start : start + width] < level
        if below.any():
            return start + int(below.argmax())
        start, width = start + width, width * 2
    return None
