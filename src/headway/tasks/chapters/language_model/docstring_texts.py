"""Docstrings as bytes: those to learn from, others, and texts that nobody wrote.

The docstrings of Python's library stand on every disk that has Python, so whoever is asked for them
can look them up. `reworded` and `drawn` texts are on none: all that can be known of them is which
words there are and what comes between them, which a reader of other docstrings has learned.
"""

import re
from functools import cache

import numpy as np
import torch
from torch import Tensor

from headway.text.corpus.standard_library import MODULES, docstrings

HELD_OUT = ("calendar", "heapq", "queue", "random", "shutil", "statistics", "textwrap", "threading")
SHORTEST, LONGEST = 16, 32  # bytes of a piece, of which the last is asked for and kept back
MANY = 1_500  # pieces of a text
STRETCHES = 10  # that a text from all over another is made of
DRAWN = MANY * LONGEST  # bytes that have as many pieces, whatever their lengths
WORDS = re.compile(r"[A-Za-z]+|[^A-Za-z]+")


def bytes_of(text: str) -> Tensor:
    """The bytes of a text in UTF-8, int64 (T,)."""
    return torch.frombuffer(bytearray(text.encode()), dtype=torch.uint8).long()


@cache
def known_text() -> str:
    """The docstrings to learn from, one after the other."""
    return "\n\n".join(docstrings(tuple(name for name in MODULES if name not in HELD_OUT)))


@cache
def known() -> Tensor:
    """The bytes of the docstrings to learn from."""
    return bytes_of(known_text())


@cache
def new() -> Tensor:
    """Docstrings of other modules; what stands in both is taken out."""
    seen = set(docstrings(tuple(name for name in MODULES if name not in HELD_OUT)))
    return bytes_of("\n\n".join(text for text in docstrings(HELD_OUT) if text not in seen))


@cache
def followers() -> dict[str, list[str]]:
    """What comes behind each word, and behind each run of other signs, where one learns."""
    found: dict[str, list[str]] = {}
    parts = WORDS.findall(known_text())
    for part, then in zip(parts, parts[1:] + parts[:1], strict=True):
        found.setdefault(part, []).append(then)
    return found


def drawn(rng: np.random.Generator, length: int) -> Tensor:
    """A text (length,) that nobody wrote: a chain of words and of the signs between them.

    Each word hangs on no more than the signs before it, a single space for most, so that no phrase
    of a docstring outlasts a word or two.
    """
    after, part, parts, size = followers(), "\n\n", [], 0
    while size < length:
        choices = after[part]
        part = choices[rng.integers(len(choices))]
        parts.append(part)
        size += len(part)
    return bytes_of("".join(parts))[:length]


def reworded(rng: np.random.Generator, text: Tensor) -> Tensor:
    """A text in which each word has changed places with another one of its length."""
    parts = WORDS.findall(bytes(text.tolist()).decode())
    places: dict[int, list[int]] = {}
    for place, part in enumerate(parts):
        if part[0].isascii() and part[0].isalpha():
            places.setdefault(len(part), []).append(place)
    mixed = list(parts)
    for among in places.values():
        for place, other in zip(among, rng.permutation(among), strict=True):
            mixed[place] = parts[other]
    return bytes_of("".join(mixed))


def from_all_over(text: Tensor, length: int) -> Tensor:
    """Stretches of a text from all over it, one after the other, as long together as is asked.

    Some docstrings are mostly code or tables: a single stretch can happen to be one of them.
    """
    starts = range(0, len(text) - length // STRETCHES, len(text) // STRETCHES)
    return torch.cat([text[start:][: length // STRETCHES] for start in starts[:STRETCHES]])


def kept_back(rng: np.random.Generator, text: Tensor) -> tuple[list[Tensor], Tensor]:
    """Pieces of a text that share no byte, in any order, and the last byte of each apart from it.

    In that byte's place stands one that is drawn from the text. So the bytes that are asked for
    never get to where the answer is.
    """
    ends = rng.integers(SHORTEST, LONGEST + 1, len(text) // SHORTEST).cumsum()
    ends = ends[ends <= len(text)]
    starts = np.concatenate([[0], ends[:-1]])
    chosen = rng.permutation(len(ends))[:MANY]
    pieces = [text[starts[i] : ends[i]].clone() for i in chosen]
    others = text[torch.from_numpy(rng.integers(0, len(text), len(pieces)))]
    for piece, other in zip(pieces, others, strict=True):
        piece[-1] = other
    return pieces, text[torch.from_numpy(ends[chosen] - 1)]
