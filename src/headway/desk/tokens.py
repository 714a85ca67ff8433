"""Code as a row of tokens that layout, comments and names of one's own do not change."""

import builtins
import keyword
import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass

LONGEST_READ = 1_000_000  # characters of an answer
MOST_TOKENS = 12_000  # of an answer: what is no token, such as a comment, does not push others out
OWN_NAME, TEXT = "name", "text"
# Each part takes at least one character and is never tried twice: the time is that of the length.
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
PYTHON = {*dir(builtins), *keyword.kwlist, *keyword.softkwlist, "self"}


@dataclass(frozen=True)
class Token:
    """A token and the characters that it stands for.

    Attributes:
        kind: what is compared: the text itself, `OWN_NAME` or `TEXT`.
        start, end: in the answer.
    """

    kind: str
    start: int
    end: int


def tokens_of(
    source: str, known: Collection[str] = (), longest: int | None = LONGEST_READ
) -> list[Token]:
    """The tokens of an answer.

    Args:
        source: Python, or anything else.
        known: names that the assignment gives; others are the student's own, and all alike.
        longest: characters that are read, of at most `MOST_TOKENS`; all if None.
    """
    found = []
    for match in TOKEN.finditer(source[:longest]):
        what, text = match.lastgroup, match[0]
        if what == "left_out":
            continue
        if longest is not None and len(found) == MOST_TOKENS:
            break
        if what == "name":
            text = unicodedata.normalize("NFKC", text)  # as Python reads it
        if what == "text":
            kind = TEXT
        elif what == "name" and text not in PYTHON and text not in known:
            kind = text if found and found[-1].kind == "." else OWN_NAME
        else:
            kind = text
        found.append(Token(kind, *match.span()))
    return found


def names_in(source: str) -> set[str]:
    """The names that a text holds."""
    return {match[0] for match in TOKEN.finditer(source) if match.lastgroup == "name"}
