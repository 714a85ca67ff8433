"""Build: from ids back to a text, through merges that nest."""

import numpy as np

from headway.tasks.chapters.tokens.encode import encode
from headway.tasks.chapters.tokens.mistakes import (
    ANOTHER_RESULT,
    DECODED_ONE_BY_ONE,
    EMPTY_OR_SINGLE,
    INVALID_BYTES,
    MERGES_OF_MERGES,
    NEW_SYMBOL,
    NO_TOKEN,
    OTHER_BYTES,
    REVERSED,
    SPACES_CHANGED,
    TOO_DEEP,
)
from headway.tasks.chapters.tokens.words import BYTES, draw_texts, learn, words_of
from headway.tasks.engine.compare import equal
from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.mistakes import changed
from headway.tasks.engine.task import Case, Task

DEEP = 3_000


def decode(ids, merges):
    """The text of ids; bytes that are no UTF-8, and ids that no token has, are shown as �."""
    tokens = [bytes([byte]) for byte in range(256)]
    for left, right in merges:
        tokens.append(tokens[left] + tokens[right])
    tokens += [b"\xff"] * (1 + max(ids, default=0) - len(tokens))
    return b"".join(tokens[i] for i in ids).decode("utf-8", errors="replace")


def decode_cases(rng: np.random.Generator) -> list[Case]:
    def draw():
        """Merges, and a sentence with a token of three levels at least, if one of twenty has it.

        Nothing in it but letters and single spaces tells whether spaces are kept.
        """
        texts = draw_texts(rng, 50)
        merges = learn(words_of(texts[:30]), 90)
        plain = (text for text in texts[30:] if text == " ".join(text.split()))
        sentences = (encode(text, merges) for text in plain)
        return merges, next(
            (s for s in sentences if _levels(s, merges, 2) != decode(s, merges)), ()
        )

    merges, sentence = draw_until(lambda drawn: drawn[1], draw)
    a, b, c, d = (int(i) for i in rng.permutation(26)[:4] + ord("a"))
    word = [(a, b), (256, c), (257, 257)]
    first, second = "éüñöàô"[rng.integers(6)].encode()
    smile = list("🙂🙃😀😴"[rng.integers(4)].encode())
    chain = [(a, b), *((256 + k, b) for k in range(DEEP - 1))]
    return [
        Case("a sentence, ninety merges", sentence, merges, core=True),
        Case("merges of merges", [258, d, 256, 257, c], word),
        Case("a letter that two tokens share", [a, first, second, b], word[:1], core=True),
        Case(
            "a letter that two merged tokens share",
            [257, 258, 256],
            [(smile[0], smile[1]), (a, 256), (smile[2], smile[3])],
            path="shared",
        ),
        Case("a letter in one token", [257, 256, b], [(first, second), (a, 256)], path="shared"),
        Case("bytes that are no text", [a, second, b, first, a, 0xFF], [], path="no text"),
        Case("the first half of a letter at the end", [256, first], word[:1], path="no text"),
        Case("ids that no token has", [a, 257, first, 400, 256], word[:1], path="no token"),
        Case("spaces and ends of lines", [32, a, 32, 32, 256, 10, 32], word[:1]),
        Case("no ids", [], word, path="hardly anything"),
        Case("no merges", [a, 32, c], [], path="hardly anything"),
        Case("three thousand merges, each of the one before", [255 + DEEP, c], chain),
    ]


WHOLE = 'b"".join(tokens[i] for i in ids).decode("utf-8", errors="replace")'
PADDED = 'tokens += [b"\\xff"] * (1 + max(ids, default=0) - len(tokens))'
ADDED = "tokens[left] + tokens[right]"


def padded(answer):
    """An answer that takes an id which no token has for a byte that is no text."""

    def decode(ids, merges):
        return answer([i if i < BYTES + len(merges) else 0xFF for i in ids], merges)

    return decode


@padded
def _by_recursion(ids, merges):
    def token(i):
        return bytes([i]) if i < BYTES else b"".join(map(token, merges[i - BYTES]))

    return b"".join(map(token, ids)).decode("utf-8", errors="replace")


def _levels(ids, merges, levels):
    """Undoes some levels of merges; what is merged still is left out."""
    for _ in range(levels):
        ids = [part for i in ids for part in ([i] if i < BYTES else merges[i - BYTES])]
    return bytes(i for i in ids if i < BYTES).decode("utf-8", errors="replace")


decode_task = Task(
    id="05-tokens/decode",
    title="From ids to a text",
    kind="build",
    points=1,
    minutes=6,
    answer="decode",
    cases=decode_cases,
    reference=decode,
    misconceptions=(
        MERGES_OF_MERGES.by(
            padded(lambda ids, merges: _levels(ids, merges, 1)),
            padded(lambda ids, merges: _levels(ids, merges, 2)),
            padded(
                lambda ids, merges: decode(
                    [j for i in ids for j in ([i] if i < 256 else merges[i - 256])], []
                )
            ),
        ),
        NO_TOKEN.by(
            changed(decode, PADDED, "", PADDED.replace('b"\\xff"', 'b""')),
            changed(decode, PADDED, PADDED.replace('b"\\xff"', 'b"?"')),
        ),
        TOO_DEEP.by(_by_recursion),
        DECODED_ONE_BY_ONE.by(
            changed(
                decode, WHOLE, '"".join(tokens[i].decode("utf-8", errors="replace") for i in ids)'
            ),
            changed(
                decode, WHOLE, '"".join(tokens[i].decode("utf-8", errors="ignore") for i in ids)'
            ),
            changed(decode, WHOLE, '"".join(tokens[i].decode() for i in ids)'),
        ),
        INVALID_BYTES.by(
            changed(decode, ', errors="replace"', ""),
            changed(decode, 'errors="replace"', 'errors="ignore"', 'errors="backslashreplace"'),
            changed(decode, WHOLE, WHOLE + '.replace("\\ufffd", "?")'),
        ),
        OTHER_BYTES.by(
            changed(decode, '"utf-8", errors="replace"', '"latin-1"'),
            changed(
                decode,
                '"utf-8", errors="replace"',
                '"ascii", errors="replace"',
                '"ascii", errors="ignore"',
            ),
        ),
        NEW_SYMBOL.by(
            changed(decode, "range(256)", "range(255)", "range(257)"),
        ),
        SPACES_CHANGED.by(
            changed(decode, WHOLE, WHOLE + ".strip()"),
            changed(decode, WHOLE, '" ".join(' + WHOLE + ".split())"),
            changed(decode, 'b"".join', 'b" ".join'),
        ),
        EMPTY_OR_SINGLE.by(
            changed(decode, WHOLE, f"{WHOLE} if ids else None"),
            changed(decode, WHOLE, f"{WHOLE} if merges else ''"),
        ),
        REVERSED.by(
            changed(decode, ADDED, "tokens[right] + tokens[left]"),
            changed(decode, ADDED, "(tokens[left] + tokens[right])[::-1]"),
            changed(decode, "for i in ids", "for i in reversed(ids)"),
        ),
        ANOTHER_RESULT.by(
            lambda ids, merges: list(decode(ids, merges).encode()),
            lambda ids, merges: list(decode(ids, merges)),
            lambda ids, merges: str(decode(ids, merges).encode()),
        ),
    ),
    compare=equal(),
)
