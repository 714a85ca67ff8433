"""Code as a sequence of tokens that stays the same if only the layout, comments, grouping
brackets or the student's own names change.

The code is never parsed: it may not be Python, and some texts crash Python's parser.
"""

import builtins
import keyword
import re
import unicodedata
from collections.abc import Collection, Iterator
from itertools import islice
from typing import NamedTuple

from headway.grading.desk.bound_names import Word, bound_names

LONGEST_READ = 1_000_000  # characters of an answer
MOST_TOKENS = 12_000  # of an answer; comments and whitespace do not count
OWN_NAME, TEXT = "name", "text"
# Each match takes at least one character and no part is tried twice, so the time is linear.
TOKEN = re.compile(
    r"""
    (?P<left_out> \#[^\n]* | \\\n | \s+ )
    | (?P<text> [rbfuRBFU]{0,2} (?:
        "{3} (?:[^\\]|\\(?:.|\Z))*? (?:"{3}|\Z) | " (?:[^"\\\n]|\\(?:.|\Z))* (?:"|$)
        | '{3} (?:[^\\]|\\(?:.|\Z))*? (?:'{3}|\Z) | ' (?:[^'\\\n]|\\(?:.|\Z))* (?:'|$)
      ) )
    | (?P<name> [^\W\d]\w* )
    | (?P<number> \d[\w.]* )
    | (?P<sign> \*\*=?|//=?|->|:=|[-+*/@%&|^=!<>]=|<<|>>|. )
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
OPENING, CLOSING = ("(", "[", "{"), (")", "]", "}")
PYTHON = {*dir(builtins), *keyword.kwlist, *keyword.softkwlist, "self"}
ALWAYS_PYTHON = {*keyword.kwlist, "self"}


class Token(NamedTuple):
    """A token and its position.

    Attributes:
        kind: what is compared: the token's text, `OWN_NAME` or `TEXT`.
        start, end: its position in the answer, in characters.
        opens: whether it is the first token on a statement's line.
    """

    kind: str
    start: int
    end: int
    opens: bool = False


def tokens_of(
    source: str,
    known: Collection[str] = (),
    longest: int | None = LONGEST_READ,
    own_may_hide_python: bool = True,
) -> list[Token]:
    """The tokens of an answer, without brackets that only group.

    Args:
        source: Python, or anything else.
        known: names that the assignment defines. Other names are the student's own, and all of
            them become the same token.
        longest: how many characters are read, giving at most `MOST_TOKENS`; None reads all.
        own_may_hide_python: count a built-in name that the answer rebinds, as in `max = 3`, as the
            student's own.
    """
    words = list(islice(_words(source[:longest]), None if longest is None else MOST_TOKENS))
    bound = bound_names(words) - ALWAYS_PYTHON if own_may_hide_python else set()
    found, behind = [], ("", "")
    for word in words:
        if word.what == "text":
            kind = TEXT
        elif word.what != "name":
            kind = word.text
        elif behind == ("self", "."):
            kind = word.text if word.text in known else OWN_NAME
        elif _is_own(word.text, known, bound) and behind[1] != ".":
            kind = OWN_NAME
        else:
            kind = word.text
        found.append(Token(kind, word.start, word.end, word.opens))
        behind = behind[1], kind
    return found


def form_of(source: str, known: Collection[str] = ()) -> tuple[str, ...]:
    """The tokens of an answer, without docstrings and commas before a closing bracket.

    Unlike in `tokens_of`, the student's own names are told apart, by where each appears first:
    `a + b` and `a + a` differ, `a + b` and `b + a` do not.
    """
    tokens = tokens_of(source, known)
    own: dict[str, str] = {}
    found = []
    for token, after in zip(tokens, [*tokens[1:], Token("", 0, 0, opens=True)], strict=True):
        stands_alone = token.kind == TEXT and token.opens and after.opens
        ends_a_list = token.kind == "," and after.kind in CLOSING
        if token.kind == OWN_NAME:
            found.append(own.setdefault(source[token.start : token.end], f"name {len(own)}"))
        elif not (stands_alone or ends_a_list):
            found.append(token.kind)
    return tuple(found)


def names_in(source: str) -> set[str]:
    """The names that occur in a text."""
    return {match[0] for match in TOKEN.finditer(source) if match.lastgroup == "name"}


def _is_own(name: str, known: Collection[str], bound: Collection[str]) -> bool:
    return name not in known and (name not in PYTHON or name in bound)


def _words(source: str) -> Iterator[Word]:
    """The tokens of a text, without whitespace, comments and brackets that only group."""
    is_kept: list[bool] = []  # for each open bracket
    depth, before, opens = 0, None, True
    for match in TOKEN.finditer(source):
        what, text = match.lastgroup, match[0]
        if what == "left_out":
            opens = opens or ("\n" in text and not is_kept and text[0] != "\\")
            continue
        if what == "name":
            text = unicodedata.normalize("NFKC", text)  # as Python reads it
        kept = True
        if text in CLOSING and is_kept:
            kept = is_kept.pop()
            depth -= kept
        if text in OPENING:
            kept = text != "(" or (not opens and _can_be_called(before))
            is_kept.append(kept)
        before = what, text
        if kept:
            yield Word(what, text, *match.span(), depth, opens)
            opens = False
        depth += kept and text in OPENING


def _can_be_called(word: tuple[str, str] | None) -> bool:
    """Whether an opening bracket after this token starts a call rather than a group."""
    if word is None:
        return False
    what, text = word
    return text in CLOSING or (what == "name" and not keyword.iskeyword(text))
