"""Letters with towers of marks on them: a browser takes minutes to draw a hundred thousand.

All marks that stand on one letter are drawn together, in a time that grows with the square of their
number. No writing needs more than a few.
"""

import re
import sys
import unicodedata
from functools import lru_cache
from html import escape, unescape

MOST_MARKS = 100  # in a row
SKIN_TONES = "\U0001f3fb-\U0001f3ff"
REFERENCE = r"&#?\w{1,40};"


def without_towers(text: str, markup: bool = False) -> str:
    """The text with no more than `MOST_MARKS` marks in a row.

    Args:
        markup: it is HTML, Markdown or SVG, in which a reference may stand for a mark.
    """
    if markup and "&" in text:
        return _rows(REFERENCE).sub(_lower, text)
    return text if text.isascii() else _rows().sub(lambda row: row[0][:MOST_MARKS], text)


def _lower(row: re.Match) -> str:
    """A row of marks and references; as it is where the references stand for something else."""
    text = unescape(row[0])
    lower = without_towers(text)
    return row[0] if lower == text else escape(lower)


@lru_cache
def _rows(also: str = "") -> re.Pattern:
    """Rows of marks, or of what also may stand for one, each of them whole: of a shorter one, all
    its ends would be tried."""
    one = f"[{_marks()}{SKIN_TONES}]"
    one = f"(?:{one}|{also})" if also else one
    return re.compile(f"{one}++")


@lru_cache
def _marks() -> str:
    """All marks, as ranges of a class of characters."""
    ranges: list[list[int]] = []
    for number in range(sys.maxunicode + 1):
        if unicodedata.category(chr(number)).startswith("M"):
            if ranges and ranges[-1][1] == number - 1:
                ranges[-1][1] = number
            else:
                ranges.append([number, number])
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)
