"""The name by which a student wants to be on a leaderboard: the one place that reads it.

    leaderboard_name = "Ada"

is read from the notebook's source and never computed, so that nothing has to run for it, and only
text between quotes is a name. It is a stranger's text that others will read. So it is bounded here,
and whoever shows it escapes it. Where its letters can be taken for others, it is said whose they
are.
"""

import ast
import re
import unicodedata

from nbformat import NotebookNode

VARIABLE = "leaderboard_name"
LONGEST = 30  # characters
LONGEST_READ = 20_000  # of a cell that may give a name
MARKS_IN_A_ROW = 2  # accents that stand on one letter
# Printable, it is said, and not to be seen.
BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U00016fe4\U0001d159\U000e0100-\U000e01ef]"
)
# Alphabets of whose letters none is taken for a Latin one.
APART = {
    *("CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "IDEOGRAPHIC", "BOPOMOFO", "HANGUL"),
    *("ARABIC", "HEBREW", "SYRIAC", "THAANA", "DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI"),
    *("TAMIL", "TELUGU", "KANNADA", "MALAYALAM", "SINHALA", "THAI", "LAO", "TIBETAN", "MYANMAR"),
    *("ETHIOPIC", "KHMER", "MONGOLIAN", "GEORGIAN"),
}
PHONETIC = re.compile("[\u0131\u0237\u0250-\u02af\u1d00-\u1dbf]")  # Latin by name, and seldom seen
SAME = str.maketrans({"I": "l", "i": "l", "1": "l", "|": "l", "0": "o"})  # to a quick eye


def chosen_name(notebook: NotebookNode) -> str:
    """The name of the last cell that gives one; empty for who wants to stay unnamed."""
    names = [
        name
        for cell in notebook.cells
        if cell.cell_type == "code" and len(cell.source) <= LONGEST_READ and VARIABLE in cell.source
        for name in _names_in(cell.source)
    ]
    return plain_name(names[-1]) if names else ""


def _names_in(source: str) -> list[str]:
    """The texts that a cell's statements give to the variable, in their order."""
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
    """The text on one line: printable, at most `LONGEST` characters, no towers of accents."""
    kept, marks = "", 0
    for c in unicodedata.normalize("NFC", text[: 4 * LONGEST]):
        marks = marks + 1 if unicodedata.category(c).startswith("M") else 0
        if marks <= MARKS_IN_A_ROW and not BLANK.match(c):
            kept += c if c.isprintable() else " "
    name = " ".join(kept.split())[:LONGEST].rstrip()
    return name if any(map(str.isalnum, name)) else ""


def with_letters_named(name: str) -> str:
    """The name, and behind it whose letters it has, where they can be taken for Latin ones."""
    scripts = dict.fromkeys(_script(c) for c in unicodedata.normalize("NFKC", name) if c.isalpha())
    if not scripts.keys() - APART - {"LATIN"}:
        return name
    return f"{name} ({' and '.join(script.capitalize() for script in scripts)} letters)"


def looks_like(name: str) -> str:
    """The same for names that differ in nothing but how their letters are written."""
    return unicodedata.normalize("NFKC", name).translate(SAME).casefold().translate(SAME)


def _script(letter: str) -> str:
    """The first word of a letter's name, "CYRILLIC"."""
    if PHONETIC.match(letter):
        return "PHONETIC"
    return unicodedata.name(letter, "UNKNOWN").split()[0]
