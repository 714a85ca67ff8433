"""Tables as learning platforms export them: CSV in UTF-8, separated as the language has it."""

import csv
import io
from dataclasses import dataclass
from pathlib import Path

from headway.errors import UserError

DELIMITERS = ",;\t"
EXCEL = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # how its files begin, the new ones and the old
MOST_BYTES = 50_000_000


@dataclass(frozen=True)
class Table:
    """A header and rows below it, each as long as the header.

    Attributes:
        path: of the file.
    """

    path: Path
    header: list[str]
    rows: list[list[str]]

    def column(self, *names: str) -> int | None:
        """Where the first of these names stands in the header; None if it has none of them.

        Raises:
            UserError: if it stands there twice.
        """
        for name in names:
            if self.header.count(name) > 1:
                raise UserError(f"{self.path} has two columns {name!r}. Expected one.")
            if name in self.header:
                return self.header.index(name)
        return None

    def require(self, name: str) -> int:
        """Where a name stands in the header.

        Raises:
            UserError: if it has none of this name, or two.
        """
        at = self.column(name)
        if at is None:
            raise UserError(
                f"{self.path} has no column {name!r}. It has: {', '.join(map(repr, self.header))}."
            )
        return at


def read_table(path: Path) -> Table:
    """Read a platform's export.

    A byte order mark is left out. Fields are separated as the header is, by commas, semicolons or
    tabs. Rows without any text are left out, and short ones are filled up.

    Raises:
        UserError: if it is no such file.
    """
    if not path.is_file():
        raise UserError(f"There is no file {path}.")
    if path.stat().st_size > MOST_BYTES:
        raise UserError(f"{path} is larger than {MOST_BYTES // 1_000_000} MB.")
    content = path.read_bytes()
    if content.startswith(EXCEL):
        raise UserError(f"{path} is a file of Excel. Export it from the platform as CSV.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(
            f"{path} is not text in UTF-8. Take the file as the platform gave it: a spreadsheet "
            "that saves it may write it in another encoding."
        ) from error
    first = text.partition("\n")[0]
    before = csv.field_size_limit(MOST_BYTES)  # a text that somebody handed in may be a field
    try:
        delimiter = max(DELIMITERS, key=lambda one: len(next(csv.reader([first], delimiter=one))))
        lines = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise UserError(f"{path} is not CSV as a platform writes it: {error}.") from error
    finally:
        csv.field_size_limit(before)
    rows = [[field.strip() for field in line] for line in lines if any(map(str.strip, line))]
    if not rows or len(rows[0]) < 2:
        raise UserError(f"{path} is no table. Expected a line with the names of columns first.")
    header, *below = rows
    if long := next((row for row in below if len(row) > len(header)), None):
        raise UserError(
            f"{path} has a row with {len(long)} fields below {len(header)} columns: "
            f"{', '.join(long[:3])!r:.60}."
        )
    return Table(path, header, [row + [""] * (len(header) - len(row)) for row in below])
