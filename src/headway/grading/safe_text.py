"""Make untrusted text safe to show in a page, a table or a terminal: on one line, cut."""

from collections.abc import Mapping

REASON_LENGTH, MOST_TEXT = 500, 2_000


def one_line(text: str, length: int = REASON_LENGTH) -> str:
    """The text on one line, without control characters, cut to a length."""
    line = "".join(c if c.isprintable() else " " for c in text[: 4 * length])
    line = " ".join(line.split())
    return line if len(line) <= length else line[: length - 1] + "…"


def in_lines(text: str) -> str:
    """The text with its line breaks, and with escapes for invisible characters."""
    return _with_numbers(text, but="\n\t")


def _with_numbers(text: str, but: str = "") -> str:
    """The text with Python's escapes for invisible characters, except those in `but`."""
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() or c in but else c.encode("unicode_escape").decode() for c in text
    )


def listed(names: list[str], most: int) -> str:
    """The first `most` names, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def with_name(student: str, names: Mapping[str, str]) -> str:
    """A student's id, followed by the name from the class list: "ada (Ada Lovelace)"."""
    name = names.get(student)
    return f"{visible(student)} ({visible(name)})" if name else visible(student)


def visible(value: object) -> object:
    """Text on one line, with escapes for invisible characters.

    A name or a reason may contain a student's text. Control characters and marks that change the
    direction of writing are shown as escapes.
    """
    if not isinstance(value, str) or (value.isprintable() and len(value) <= MOST_TEXT):
        return value
    cut = f"{value[:MOST_TEXT]}…" if len(value) > MOST_TEXT else value
    # Keep the type, so that markup stays markup.
    return type(value)(_with_numbers(" ".join(cut.split())))
