"""Strangers' text made safe to show in a page, a table or a terminal: on one line, cut."""

from collections.abc import Mapping

REASON_LENGTH, MOST_TEXT = 500, 2_000


def one_line(text: str, length: int = REASON_LENGTH) -> str:
    """The text on one line, without control characters, cut where it is too long."""
    line = "".join(c if c.isprintable() else " " for c in text[: 4 * length])
    line = " ".join(line.split())
    return line if len(line) <= length else line[: length - 1] + "…"


def in_lines(text: str) -> str:
    """The text in its lines, with the numbers of characters that are not seen in their place."""
    return _with_numbers(text, but="\n\t")


def _with_numbers(text: str, but: str = "") -> str:
    """The text with numbers, as Python writes them, in the place of characters not seen."""
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() or c in but else c.encode("unicode_escape").decode() for c in text
    )


def listed(names: list[str], most: int) -> str:
    """The first names and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def with_name(student: str, names: Mapping[str, str]) -> str:
    """A student's id, and behind it the name that the class list has: "ada (Ada Lovelace)"."""
    name = names.get(student)
    return f"{visible(student)} ({visible(name)})" if name else visible(student)


def visible(value: object) -> object:
    """Text without characters that are not seen or that turn other text around.

    A name or a reason may hold what a student chose: of control characters, and marks of the
    direction of writing, the number is shown.
    """
    if not isinstance(value, str) or (value.isprintable() and len(value) <= MOST_TEXT):
        return value
    cut = f"{value[:MOST_TEXT]}…" if len(value) > MOST_TEXT else value
    # Markup of the template stays markup.
    return type(value)(_with_numbers(" ".join(cut.split())))
