"""The pieces of a text, across whose borders byte pair encoding never merges.

Before any pair is counted, a text is cut into pieces: words with the space before them, numbers,
punctuation, white space. No merge crosses a cut, so no token holds half a word and a comma. The
rule is GPT-2's (Radford et al. 2019, `encoder.py`), where `\\p{L}` is any letter and `\\p{N}` any
number of Unicode:

    's|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+

Python's `re` knows no `\\p{…}`. It needs three facts instead: `\\w` is a letter, a number or `_`;
`\\d` is a *decimal* digit, so numbers such as ², ½ and Ⅷ must be listed; and Python counts four
control characters (U+001C … U+001F) as white space, which Unicode does not. With these the pattern
is equal to GPT-2's for every character that this Python's Unicode (`unicodedata.unidata_version`)
knows; letters that later versions added are cut like punctuation.

The pieces of a text, joined, are the text: nothing is lost.
"""

import re
from functools import cache
from itertools import count, groupby
from sys import maxunicode

SPACE, NO_SPACE = r"[^\S\x1c-\x1f]", r"[\S\x1c-\x1f]"


def other_numbers() -> str:
    """All characters that are numbers but no decimal digits, as ranges for a `[…]` of `re`."""
    codes = [
        code
        for code, symbol in enumerate(map(chr, range(maxunicode + 1)))
        if symbol.isnumeric() and not symbol.isalpha() and not symbol.isdecimal()
    ]
    steps = count()
    runs = [list(run) for _, run in groupby(codes, key=lambda code: code - next(steps))]
    return "".join(f"{chr(run[0])}-{chr(run[-1])}" for run in runs)


@cache
def piece_pattern() -> re.Pattern:
    """GPT-2's pattern, written for `re`; made once, when the first text is cut."""
    numbers = other_numbers()
    return re.compile(
        rf"'(?:[stmd]|re|ve|ll)"
        rf"| ?[^\W\d_{numbers}]+"  # letters
        rf"| ?[\d{numbers}]+"
        rf"| ?(?:[^\s\w]|[_\x1c-\x1f])+"  # neither space nor letter nor number
        rf"|{SPACE}+(?!{NO_SPACE})"  # white space, but the last one where a piece follows
        rf"|{SPACE}+"
    )


def pieces(text: str) -> list[str]:
    """Cut a text as GPT-2 does: `pieces("I'm here.") == ["I", "'m", " here", "."]`."""
    return piece_pattern().findall(text)
