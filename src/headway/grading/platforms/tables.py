"""Read tables exported by learning platforms: CSV in UTF-8, with a delimiter by language."""

import csv
import io
from dataclasses import dataclass
from pathlib import Path

from headway.errors import UserError

DELIMITERS = ",;\t"
EXCEL = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # first bytes of new and of old Excel files
MOST_BYTES = 50_000_000


@dataclass(frozen=True)
class Table:
    """A header and rows of the same length.

    Attributes:
        path: the file's path.
    """

    path: Path
    header: list[str]
    rows: list[list[str]]

    def column(self, *names: str) -> int | None:
        """The index of the first of these names in the header; None if it has none of them.

        Raises:
            UserError: if the name occurs twice.
        """
        for name in names:
            if self.header.count(name) > 1:
                raise UserError(f"{self.path} has two columns {name!r}. Expected one.")
            if name in self.header:
                return self.header.index(name)
        return None

    def require(self, name: str) -> int:
        """The index of a name in the header.

        Raises:
            UserError: if the name is missing, or occurs twice.
        """
        at = self.column(name)
        if at is None:
            raise UserError(
                f"{self.path} has no column {name!r}. It has: {', '.join(map(repr, self.header))}."
            )
        return at


def read_table(path: Path) -> Table:
    """Read a platform's export.

    A byte order mark is skipped. The delimiter is the header's: comma, semicolon or tab. Empty
    rows are left out, and short ones are padded.

    Raises:
        UserError: if the file is missing or is not such a table.
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
    before = csv.field_size_limit(MOST_BYTES)  # a field may contain a submitted text
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
