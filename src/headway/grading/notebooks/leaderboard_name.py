"""Read the name under which a student wants to appear on a leaderboard.

    leaderboard_name = "Ada"

The name is read from the notebook's source without running it, so it must be a string literal.
Other students will read it, so its length and characters are limited here, and pages must escape
it. If its letters can be confused with Latin ones, their alphabet is added.
"""

import ast
import re
import unicodedata

from nbformat import NotebookNode

VARIABLE = "leaderboard_name"
LONGEST = 30  # characters
LONGEST_READ = 20_000  # characters of a cell with a name
MARKS_IN_A_ROW = 2  # accents on one letter
# Invisible characters, although str.isprintable is True for them.
BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U00016fe4\U0001d159\U000e0100-\U000e01ef]"
)
# Alphabets with no letters that look like Latin ones.
APART = {
    *("CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "IDEOGRAPHIC", "BOPOMOFO", "HANGUL"),
    *("ARABIC", "HEBREW", "SYRIAC", "THAANA", "DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI"),
    *("TAMIL", "TELUGU", "KANNADA", "MALAYALAM", "SINHALA", "THAI", "LAO", "TIBETAN", "MYANMAR"),
    *("ETHIOPIC", "KHMER", "MONGOLIAN", "GEORGIAN"),
}
PHONETIC = re.compile("[\u0131\u0237\u0250-\u02af\u1d00-\u1dbf]")  # Latin by Unicode name, but rare
SAME = str.maketrans({"I": "l", "i": "l", "1": "l", "|": "l", "0": "o"})  # look alike


def chosen_name(notebook: NotebookNode) -> str:
    """The last name that a cell assigns; empty if the student does not want to be listed."""
    names = [
        name
        for cell in notebook.cells
        if cell.cell_type == "code" and len(cell.source) <= LONGEST_READ and VARIABLE in cell.source
        for name in _names_in(cell.source)
    ]
    return plain_name(names[-1]) if names else ""


def _names_in(source: str) -> list[str]:
    """The strings that a cell's statements assign to the variable, in order."""
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    found = []
    for node in body:
        match node:
            case ast.Assign([ast.Name(id)], ast.Constant(value)) if id == VARIABLE:
                found.append(value if isinstance(value, str) else "")
    return found


def plain_name(text: str) -> str:
    """The text on one line: printable, at most `LONGEST` characters, few accents in a row."""
    kept, marks = "", 0
    for c in unicodedata.normalize("NFC", text[: 4 * LONGEST]):
        marks = marks + 1 if unicodedata.category(c).startswith("M") else 0
        if marks <= MARKS_IN_A_ROW and not BLANK.match(c):
            kept += c if c.isprintable() else " "
    name = " ".join(kept.split())[:LONGEST].rstrip()
    return name if any(map(str.isalnum, name)) else ""


def with_letters_named(name: str) -> str:
    """The name, followed by its alphabets if letters can be confused with Latin ones."""
    scripts = dict.fromkeys(_script(c) for c in unicodedata.normalize("NFKC", name) if c.isalpha())
    if not scripts.keys() - APART - {"LATIN"}:
        return name
    return f"{name} ({' and '.join(script.capitalize() for script in scripts)} letters)"


def looks_like(name: str) -> str:
    """A key that is equal for names which look alike."""
    return unicodedata.normalize("NFKC", name).translate(SAME).casefold().translate(SAME)


def _script(letter: str) -> str:
    """A letter's alphabet: the first word of its Unicode name, "CYRILLIC"."""
    if PHONETIC.match(letter):
        return "PHONETIC"
    return unicodedata.name(letter, "UNKNOWN").split()[0]
