"""English words and punctuation by rule, after the conventions of the Penn Treebank.

    "I can't," she said.  →  `` I ca n't , '' she said .

What is a token, in the order in which the rules are tried:

1. Abbreviations of a short list, and initials, keep their period: Mr., U.S., e.g.
2. Contractions are two words: do n't, she 's, we 'll, I 've, and can not, gon na, wan na.
3. A word keeps hyphens, apostrophes and periods inside it (state-of-the-art, O'Neil, setup.py); a
   number also commas, colons and slashes (1,000.5, 10:30, 1/2).
4. `...`, `--`, and the quotation marks of the Treebank, `` and '', are one token.
5. Any other mark is a token of its own. A straight " becomes `` where a quotation opens (at the
   start, after white space or an opening bracket) and '' elsewhere.

Unlike the Treebank's own script these rules see the end of a sentence anywhere in a text, not only
at the end of a line. They know English only, and want letters composed with their accents (NFC).

Source: Marcus et al. 1993, and MacIntyre's tokenizer script of 1995, which came with the Treebank.
"""

import re
from collections.abc import Sequence

ABBREVIATIONS = r"Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|Ph\.D|vs|etc|cf"
ENDINGS = r"['’](?:s|m|d|ll|re|ve)"
TOKEN = re.compile(
    rf"""
      (?:{ABBREVIATIONS})\.(?!\w)
    | (?:[^\W\d_]\.){{2,}}(?!\w)               # initials
    | \w+?(?=n['’]t\b) | n['’]t\b | {ENDINGS}\b
    | can(?=not\b) | (?:gon|wan)(?=na\b)
    | \w+(?:(?:[-.]|(?!{ENDINGS}\b)['’]|(?<=\d)[,:/](?=\d))\w+)*
    | \.\.\. | -- | `` | '' | \S
    """,
    re.VERBOSE | re.IGNORECASE,
)
NO_SPACE_BEFORE = re.compile(rf"[.,;:!?%)\]}}]|\.\.\.|''|n['’]t|{ENDINGS}", re.IGNORECASE)
NO_SPACE_AFTER = frozenset(["(", "[", "{", "$", "#", "``"])


def split_words(text: str) -> list[str]:
    """The words and marks of a text; no character but white space is lost."""
    return [_token(text, found.start(), found.group()) for found in TOKEN.finditer(text)]


def _token(text: str, start: int, token: str) -> str:
    if token != '"':
        return token
    before = text[start - 1 : start]
    return "``" if not before or before.isspace() or before in "([{" else "''"


def join_words(words: Sequence[str]) -> str:
    """Words and marks as running text.

    Undoes `split_words` for text that is set as usual: one space between words, none before a
    comma. What was split without leaving a mark (can not) stays split, and single quotation marks
    keep a space on either side.
    """
    text, glue = "", True
    for word in words:
        if not glue and not NO_SPACE_BEFORE.fullmatch(word):
            text += " "
        text += '"' if word in ("``", "''") else word
        glue = word in NO_SPACE_AFTER
    return text
