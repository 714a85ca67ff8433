"""A model's text on a terminal: all of it that is text, and nothing that commands the terminal."""

import unicodedata
from collections.abc import Iterable, Iterator

HIDDEN = "�"
# Marks that turn the text after them around, until another mark ends it.
TURNING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def visible(text: str) -> str:
    """The text with � for each control character and each mark that turns other text around.

    Line ends become "\\n". Spaces of all widths and the joiners that Persian, Hindi and emoji need
    are text, though nothing is seen of them.
    """
    return "".join(HIDDEN if commands(c) else c for c in text.replace("\r\n", "\n"))


def commands(character: str) -> bool:
    """Whether a terminal may obey a character rather than show it; also half a surrogate pair."""
    if character in "\n\t":
        return False
    kind = unicodedata.category(character)
    return kind in ("Cc", "Cs") or unicodedata.bidirectional(character) in TURNING


def visible_pieces(pieces: Iterable[str]) -> Iterator[str]:
    """`visible` for a text in pieces; a "\\r" waits for the piece that may begin with its "\\n"."""
    waiting = ""
    for piece in pieces:
        piece = waiting + piece
        waiting = "\r" if piece.endswith("\r") else ""
        yield visible(piece.removesuffix("\r"))
    yield visible(waiting)
