"""Words of strangers as cells of a spreadsheet."""

import re

from headway.grading.safe_text import visible

SIGNS = "=+@\uff1d\uff0b\uff0d\uff20-"  # some programs take the wide ones for the plain ones
# Where a program splits the file at semicolons, what follows one begins a cell, quoted or not; and
# a quotation mark there, which the file has twice, is an empty quotation before the rest.
BEGINS = re.compile(rf"(?:^|;)[\s\"]*[{SIGNS}]|^[\t\r\n]")
LATER = re.compile(rf";(?=[\s\"]*[{SIGNS}])")


def is_formula(text: str) -> bool:
    """Whether a spreadsheet might compute the text, or a part of it."""
    return bool(BEGINS.search(text))


def no_formula(text: str) -> str:
    """The text, with an apostrophe in front of what a spreadsheet might compute.

    What is not seen, such as a control character, is shown by its number.
    """
    seen = LATER.sub(";'", visible(text))
    return f"'{seen}" if BEGINS.match(text) and not text.startswith(";") else seen
