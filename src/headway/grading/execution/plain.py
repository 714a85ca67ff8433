"""The text of an output, which a page shows besides its pictures."""

import re
from collections.abc import Mapping
from html import unescape

# The plain text of an object that has another representation.
DISPLAYED = re.compile(r"\s*<IPython\.core\.display\.\w+ object>\s*")
AS_WRITTEN = ("text/markdown", "text/latex")
MARKUP = ("text/html", "image/svg+xml")
LINE_END = re.compile(r"(?i)</(?:tr|p|div|li|h[1-6])>|<br\b[^<>]*>")
CELL_END = re.compile(r"(?i)</t[dh]>")
TAG = re.compile(r"<[^<>]*>")
MOST_SHOWN = 100_000  # characters
ESCAPE = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~])?")  # escape sequences, such as colors


def text_in(data: Mapping[str, object]) -> str:
    """The text of an output: its plain text, Markdown, LaTeX, or the text in its markup.

    Args:
        data: the output's MIME bundle.
    """
    texts = {kind: text for kind, text in data.items() if isinstance(text, str)}
    plain = texts.get("text/plain", "")
    if plain and not DISPLAYED.fullmatch(plain):
        return plain
    for kind in AS_WRITTEN:
        if kind in texts:
            return texts[kind]
    for kind in MARKUP:
        if kind in texts:
            broken = CELL_END.sub(" ", LINE_END.sub("\n", texts[kind]))
            return unescape(TAG.sub("", broken)).strip()
    return plain


def shown(text: str) -> str:
    """Text of a cell or an output for a page: without escape sequences, cut if very long."""
    more = "\n… cut here." if len(text) > MOST_SHOWN else ""
    return uncolored(text[:MOST_SHOWN]) + more


def uncolored(text: str) -> str:
    """The text without terminal escape sequences."""
    return ESCAPE.sub("", text) if "\x1b" in text else text
