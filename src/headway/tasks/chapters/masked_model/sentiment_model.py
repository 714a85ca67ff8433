"""The reader that assignment 12 hands out for training, its texts, and its weights by hand.

    x = word(ids) + place                        (B, T) → (B, T, C)
    x = x + attention(x);  x = x + network(x)    (B, T, C)
    logits = pool(x) W + b                       (B, C) → (B, 2)

What is counted as a place, what a token sees and what is pooled is its *arrangement*. Its values
are called so that their names do not tell which are right: "u" stands for all columns of a text,
and "v" for those that hold a word.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import torch
from torch import Tensor, nn

from headway.nn.multihead import MultiHeadAttention
from headway.text.corpus.sentiment import ASPECTS, BAD, DEGREES, GOOD, Review, reviews

PADDING = 0
WIDTH, HEADS, HIDDEN, COLUMNS = 32, 2, 64, 48
PLACES = (None, "u", "v")
SEES = ("all u", "earlier u", "all v", "earlier v")
POOLS = tuple(
    f"{which} {what}" for what in ("u", "v") for which in ("mean of", "first of", "last of")
)
WORDS = tuple(sorted({"the", "was", "not", "but", *ASPECTS, *GOOD, *BAD, *DEGREES[1:]}))
LATE = 7  # from this word on, every word belongs to the second clause, whatever the first is like
SURE = 10.0


class Reader(nn.Module):
    """One block between a table of words and two logits: ids (B, T) → (B, 2), T at most 48.

    Args:
        words: V, the padding included.
        places: None, or what is counted to number a token's place: "u" or "v".
        sees: what a token attends to, one of `SEES`.
        pool: what becomes the vector of the text, one of `POOLS`.
    """

    def __init__(self, words: int, places: str | None, sees: str, pool: str):
        super().__init__()
        self.places, self.sees, self.pool = places, sees, pool
        self.word, self.place = nn.Embedding(words, WIDTH), nn.Embedding(COLUMNS, WIDTH)
        self.attention = MultiHeadAttention(WIDTH, HEADS)
        expand, contract = nn.Linear(WIDTH, HIDDEN), nn.Linear(HIDDEN, WIDTH)
        self.network = nn.Sequential(expand, nn.GELU(), contract)
        self.logits = nn.Linear(WIDTH, 2)

    def forward(self, ids: Tensor) -> Tensor:
        """Logits (B, 2) of ids (B, T): negative, positive."""
        words = ids != PADDING
        columns = torch.ones_like(words)
        x = self.word(ids)
        if self.places is not None:
            counted = words if self.places == "v" else columns
            x = x + self.place((counted.cumsum(1) - 1).clamp(min=0))
        mask = words[:, None, None] if self.sees.endswith("v") else None
        x = x + self.attention(x, mask=mask, causal=self.sees.startswith("earlier"))
        x = x + self.network(x)
        which, _, what = self.pool.partition(" of ")
        return self.logits(pooled(x, words if what == "v" else columns, which))


def pooled(x: Tensor, of: Tensor, which: str) -> Tensor:
    """The mean, the first or the last of some columns: x (B, T, C), of (B, T) bool → (B, C)."""
    if which == "mean":
        return (x * of[..., None]).sum(1) / of.sum(1, keepdim=True)
    places = torch.arange(of.shape[1], device=of.device).expand(of.shape)
    if which == "first":
        place = places.masked_fill(~of, of.shape[1]).amin(1)
    else:
        place = places.masked_fill(~of, -1).amax(1)
    return x[torch.arange(len(x), device=x.device), place]


def fill(rows: Iterable[Sequence[int]], width: int, left: bool = False) -> Tensor:
    """Ids (B, width) of texts, filled up with padding on the right or on the left."""
    filled = [
        [PADDING] * (width - len(row)) * left + [*row] + [PADDING] * (width - len(row)) * (not left)
        for row in rows
    ]
    return torch.tensor(filled)


def draw_vocabulary(rng: np.random.Generator) -> list[str]:
    """The words in an order that is drawn; the id of a word is its place."""
    return ["[PAD]", *(WORDS[i] for i in rng.permutation(len(WORDS)))]


def draw_reviews(
    rng: np.random.Generator, count: int, vocabulary: Sequence[str]
) -> tuple[list[list[int]], Tensor]:
    """Reviews as lists of ids, and (count,) int64: 1 for a positive one."""
    ids = {word: place for place, word in enumerate(vocabulary)}
    drawn: list[Review] = reviews(rng, count)
    rows = [[ids[word] for word in review.text.split()] for review in drawn]
    return rows, torch.tensor([int(review.positive) for review in drawn])


def by_hand(vocabulary: Sequence[str], known: Sequence[str] = (*GOOD, *BAD)) -> dict[str, Tensor]:
    """Weights that read the second clause, where places of words are counted or all stand right.

    One head looks for the late adjective, the other for a late *not*, or else for *but*; the
    network turns the one round by the other.

    Args:
        known: the adjectives that they know.
    """
    model = Reader(len(vocabulary), "v", "all v", "mean of v")
    weights = {name: torch.zeros_like(value) for name, value in model.state_dict().items()}
    adjective, good, negation, but, one, late, kind, negated, out = range(9)
    word, D = weights["word.weight"], WIDTH // HEADS
    word[:, one] = 1.0
    for place, text in enumerate(vocabulary):
        word[place, adjective] = text in (*GOOD, *BAD)
        word[place, good] = (text in known) * (1.0 if text in GOOD else -1.0)
        word[place, negation], word[place, but] = text == "not", text == "but"
    weights["place.weight"][LATE:, late] = 1.0
    qkv, output = weights["attention.qkv.weight"], weights["attention.output.weight"]
    qkv[[0, D], one] = 10 * SURE
    qkv[WIDTH, [adjective, late]] = 1.0
    qkv[WIDTH + D, [negation, late]] = 2.0
    qkv[WIDTH + D, but] = 3.0
    qkv[2 * WIDTH, good] = qkv[2 * WIDTH + D, negation] = 1.0
    output[kind, 0] = output[negated, D] = 1.0
    expand, bias = weights["network.0.weight"], weights["network.0.bias"]
    expand[:2, kind] = torch.tensor([SURE, -SURE])  # good and not negated; bad and negated
    expand[:2, negated] = torch.tensor([-2 * SURE, 2 * SURE])
    bias[1] = -2 * SURE
    weights["network.2.weight"][out, :2] = 1.0
    weights["logits.weight"][1, out] = 1.0
    weights["logits.bias"][1] = -SURE / 2
    return weights
