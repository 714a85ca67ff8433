"""Letters with towers of marks on them: a browser takes minutes to draw a hundred thousand.

All marks that stand on one letter are drawn together, in a time that grows with the square of their
number. No writing needs more than a few.
"""

import re
import sys
import unicodedata
from functools import lru_cache
from html import unescape

MOST_MARKS = 100  # in a row
QUOTED = re.compile(r'"[^"]*"')
# Letters that browsers draw as marks: skin tones, am of Thai and Lao, Japanese sounds.
DRAWN_ON = "\U0001f3fb-\U0001f3ff\u0e33\u0eb3\uff9e\uff9f"
# What may stand for a mark in HTML, and what stands between two marks and parts them not.
REFERENCE = r"&(?:#0*+\d{1,8}|#[xX]0*+[0-9A-Fa-f]{1,8}|\w{1,40});?"
ESCAPE = r"\x1b(?:\[[^@-~\n]*+[@-~]?)?"  # a color of a terminal, which a page does without
TAG = r"<[^<>\"]*+(?:\"[^\"]*+\"[^<>\"]*+)*+>"


def without_towers(text: str, markup: bool = False) -> str:
    """The text with no more than `MOST_MARKS` marks in a row.

    Args:
        markup: it is HTML that was cleaned, in which a reference may stand for a mark, and tags
            part no row.
    """
    if not markup:
        return text if text.isascii() else _rows(ESCAPE).sub(_lower, text)
    if text.isascii() and "&" not in text:
        return text
    return _rows(f"{REFERENCE}|{TAG}").sub(_lower, text)


def _lower(row: re.Match) -> str:
    """A row of marks, and what parts none of them, without the marks that are too many."""
    kept, marks = [], 0
    for part in re.findall(f"{REFERENCE}|{TAG}|{ESCAPE}|.", row[0], re.DOTALL):
        if part[0] == "\x1b":
            kept.append(_rows().sub("", part))  # it has none, if it is a color
            continue
        if part[0] == "<":
            kept.append(QUOTED.sub(lambda value: without_towers(value[0], markup=True), part))
            continue
        meant = unescape(part)
        standing = sum(1 for letter in meant if _is_mark(letter))
        if standing < len(meant):  # a letter
            marks = 0
        marks += standing
        if marks <= MOST_MARKS or not standing:
            kept.append(part)
    return "".join(kept)


def _is_mark(letter: str) -> bool:
    return bool(_rows().fullmatch(letter))


@lru_cache
def _rows(also: str = "") -> re.Pattern:
    """Rows of marks, or of what also may stand among them, each of them whole: of a shorter one,
    all its ends would be tried."""
    one = f"[{_marks()}{DRAWN_ON}]"
    one = f"(?:{one}|{also})" if also else one
    return re.compile(f"{one}++")


@lru_cache
def _marks() -> str:
    """All marks, and what is not seen between them, as ranges of a class of characters."""
    ranges: list[list[int]] = []
    for number in range(sys.maxunicode + 1):
        kind = unicodedata.category(chr(number))
        if kind.startswith("M") or kind == "Cf":
            if ranges and ranges[-1][1] == number - 1:
                ranges[-1][1] = number
            else:
                ranges.append([number, number])
    return "".join(f"{re.escape(chr(first))}-{re.escape(chr(last))}" for first, last in ranges)
