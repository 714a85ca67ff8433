"""Words of students, and lists of names, in a report: on one line, of bounded length."""

REASON_LENGTH = 500


def one_line(text: str, length: int = REASON_LENGTH) -> str:
    """The text on one line, without control characters, cut where it is too long."""
    line = "".join(c if c.isprintable() else " " for c in text[: 4 * length])
    line = " ".join(line.split())
    return line if len(line) <= length else line[: length - 1] + "…"


def listed(names: list[str], most: int) -> str:
    """The first names and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
