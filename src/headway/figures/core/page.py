"""What all figures, plots and claims share in HTML: escaping, names, and where they are shown."""

import os
import re
from html import escape
from itertools import count

from headway.figures.core.styles import base_style

# A hyphen before a number, behind nothing that it could join to it or that quotes it; and the one
# of "1e-5".
MINUS = re.compile(r"(?<![\w.)\]“-])-(?=\.?\d|∞)|(?<=\de)-(?=\d)")
_numbers = count(1)


def in_book() -> bool:
    """Whether the code runs while the book is built, and not in a live notebook."""
    return os.environ.get("HEADWAY_BOOK") == "1"


def with_style(html: str, own: str = "") -> str:
    """HTML of an output, where no page brings its style with the base and its `own` style."""
    return html if in_book() else f"<style>{base_style()}{own}</style>\n{html}"


def new_id(kind: str) -> str:
    """An id for one element, "claim-3"; unique in this process."""
    return f"hw-{kind}-{next(_numbers)}"


def text(given: object) -> str:
    """Any value as text that is safe inside HTML, also in attributes."""
    return escape(str(given), quote=True)


def real_minus(written: str) -> str:
    """A sentence with real minus signs in its numbers, "−0.5" for "-0.5".

    A hyphen inside a word, a name or a range, as in "GPT-2" or "2-3", stays.
    """
    return MINUS.sub("−", written)


def require_sentence(name: str, given: object) -> str:
    """`given`, if it is a text with something in it; with real minus signs in its numbers.

    Raises:
        ValueError: if it is not; the message names the argument.
    """
    if not isinstance(given, str) or not given.strip():
        raise ValueError(f"{name} must be a text that is not empty, got {given!r}")
    return real_minus(given.strip())


def table(header: list[str], rows: list[list[object]], caption: str) -> str:
    """An HTML table; the first cell of each row is its header."""
    head = "".join(f'<th scope="col">{text(name)}</th>' for name in header)
    body = "\n".join(
        f'<tr><th scope="row">{text(first)}</th>'
        + "".join(f"<td>{text(cell)}</td>" for cell in rest)
        + "</tr>"
        for first, *rest in rows
    )
    return (
        f'<table class="hw-table"><caption>{text(caption)}</caption>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table>"
    )


def number(value: float, digits: int = 3) -> str:
    """A number as a reader writes it: no more digits than needed, and a real minus sign."""
    written = f"{round(float(value), digits) + 0.0:.{digits}f}"
    if "." in written:
        written = written.rstrip("0").rstrip(".")
    return written.replace("-", "−")


def place(words: list[str], word: str | None, default: int) -> int:
    """Where `word` stands among the words.

    Raises:
        ValueError: if it does not.
    """
    if word is None:
        return default
    if word not in words:
        raise ValueError(f"{word!r} is not one of the words of the figure: {', '.join(words)}")
    return words.index(word)
