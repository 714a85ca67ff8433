"""Make untrusted text safe for the cells of a spreadsheet."""

import re

from headway.grading.safe_text import visible

SIGNS = "=+@\uff1d\uff0b\uff0d\uff20-"  # some programs read full-width signs as plain ones
# In programs that split the file at semicolons, text after a semicolon begins a new cell, even
# within quotes. A doubled quotation mark there is an empty quotation before the rest.
BEGINS = re.compile(rf"(?:^|;)[\s\"]*[{SIGNS}]|^[\t\r\n]")
LATER = re.compile(rf";(?=[\s\"]*[{SIGNS}])")


def is_formula(text: str) -> bool:
    """Whether a spreadsheet might read the text, or a part of it, as a formula."""
    return bool(BEGINS.search(text))


def no_formula(text: str) -> str:
    """The text, with an apostrophe before each part that might be read as a formula.

    Invisible characters, such as control characters, are shown as escapes.
    """
    seen = LATER.sub(";'", visible(text))
    return f"'{seen}" if BEGINS.match(text) and not text.startswith(";") else seen
