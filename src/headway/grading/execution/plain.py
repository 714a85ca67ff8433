"""The text that stands in an output: what a page shows of it, beside its pictures."""

import re
from collections.abc import Mapping
from html import unescape

# What an object that is shown by other means says of itself as text.
DISPLAYED = re.compile(r"\s*<IPython\.core\.display\.\w+ object>\s*")
AS_WRITTEN = ("text/markdown", "text/latex")
MARKUP = ("text/html", "image/svg+xml")
LINE_END = re.compile(r"(?i)</(?:tr|p|div|li|h[1-6])>|<br\b[^<>]*>")
CELL_END = re.compile(r"(?i)</t[dh]>")
TAG = re.compile(r"<[^<>]*>")
MOST_SHOWN = 100_000  # characters
ESCAPE = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~])?")  # which color a terminal


def text_in(data: Mapping[str, object]) -> str:
    """The text of an output: its own, or what Markdown, a formula or markup say; empty if nothing.

    Args:
        data: the output's forms, as nbformat has them.
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
    """Text of a cell or an output as a page shows it: without colors, cut where it is very long."""
    more = "\n… cut here." if len(text) > MOST_SHOWN else ""
    return uncolored(text[:MOST_SHOWN]) + more


def uncolored(text: str) -> str:
    """The text without what colors it in a terminal."""
    return ESCAPE.sub("", text) if "\x1b" in text else text
