"""Guess from its tokens which names a piece of code binds.

These are targets of assignments and loops, arguments, functions, classes, and names after `as`.
The code may not be valid Python, so it is not parsed and the result is only a good guess.
"""

from collections.abc import Sequence
from itertools import pairwise
from keyword import iskeyword
from typing import NamedTuple

NAMED = ("def", "class", "as")
BEFORE_AN_ARGUMENT = ("(", ",", "*", "**", "lambda")


class Word(NamedTuple):
    """A token of code.

    Attributes:
        what: "name", "number", "text" or "sign".
        text: the token as written.
        start, end: its position in the code, in characters.
        depth: how many brackets are open around it, not counting brackets that only group.
        opens: whether it is the first token on a statement's line.
    """

    what: str
    text: str
    start: int
    end: int
    depth: int
    opens: bool


def bound_names(words: Sequence[Word]) -> set[str]:
    """The names that a sequence of tokens binds."""
    return _named(words) | _arguments(words) | _in_loops(words) | _assigned(words)


def _named(words: Sequence[Word]) -> set[str]:
    found = set()
    for one, other in pairwise(words):
        if one.text in NAMED and other.what == "name":
            found.add(other.text)
        if other.text == ":=" and one.what == "name":
            found.add(one.text)
    return found


def _arguments(words: Sequence[Word]) -> set[str]:
    found, depth, end = set(), None, None
    for before, word in pairwise(words):
        if before.text == "def":
            depth, end = before.depth + 1, (")", before.depth)
        elif before.text == "lambda":
            depth, end = before.depth, (":", before.depth)
        if (word.text, word.depth) == end:
            depth = end = None
        elif word.depth == depth and word.what == "name" and before.text in BEFORE_AN_ARGUMENT:
            found.add(word.text)
    return found


def _in_loops(words: Sequence[Word]) -> set[str]:
    found, in_target = set(), False
    for before, word in pairwise(words):
        if word.text == "in":
            in_target = False
        elif before.text == "for" or (in_target and before.text != "."):
            in_target = True
            if word.what == "name":
                found.add(word.text)
    return found


def _assigned(words: Sequence[Word]) -> set[str]:
    found, left, is_target, opening, before = set(), set(), True, "", ""
    for word in words:
        if word.opens or word.text == ";":
            left, is_target, opening = set(), True, word.text
        if not word.depth:
            if word.text == "=":
                found |= left
                left = set()
            elif word.text == ":":  # a block or a type annotation follows
                is_target = iskeyword(opening)
                left = set() if is_target else left
            elif word.what == "name" and is_target and before != ".":
                left.add(word.text)
        before = word.text
    return found
