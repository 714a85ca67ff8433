"""Heads of a published model: which tell two readings apart, and which look behind a copy.

    I read the poems by the poet that was …      the poet: "born"
    I read the poems by the poet that were …     the poems: "written"

"That" may belong to either noun, and the verb decides. Four texts (`four_texts`) cross the number
of the verb with that of the nouns, so that no single word gives the answer away. The odds of a text
are ln p("born") − ln p("written"), and the readings are as far apart as the verb changes them.

Another text is words drawn by chance, and then the same words once more. The second time a model
can know what comes next, but only from the text: it has to find the copy and look behind it.

`record` and `record_copies` measure a model, and `tools/record-heads FILE` keeps what they find in
NAME.json beside this module: so that a page can show it to those who do not have the model.
"""

import json
import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch

from headway.explore.reading import Reading
from headway.explore.subject import Subject

FOLDER = Path(__file__).parent
SIGN = np.array([1, -1, -1, 1])  # the verb belongs to the person, the thing, the thing, the person
HEADS, DRAWS, LIKELIEST = 8, 10, 5
LOOKING = ("previous", "first", "repeat")
WORD = re.compile("␣[a-z]{4,}")  # a token that is a word, not a part of one
ARRAYS = ("odds", "looks", "alone", "without", "draws", *LOOKING, "losses", "chance")


def four_texts(before: str, thing: str, link: str, person: str) -> list[tuple[str, str, str]]:
    """The four texts of two nouns; beside each, the thing and the person in it.

    Args:
        before: "I read".
        thing, person: singular and plural, "poem/poems".
        link: "by".
    """
    (one, many), (single, plural) = thing.split("/"), person.split("/")
    return [
        (f"{before} the {a} {link} the {b} that {verb}", a, b)
        for a, b in ((many, single), (one, plural))
        for verb in ("was", "were")
    ]


def apart(odds: np.ndarray) -> np.ndarray:
    """How much the verb changes the odds (..., 4), on average; 0 if it makes no difference."""
    return (np.asarray(odds) * SIGN).sum(axis=-1) / 2


def told_apart(looks: np.ndarray) -> np.ndarray:
    """(L, H): how much more weight a head gives to the noun that the verb belongs to.

    Args:
        looks: (4, L, H, 2), the weights that the verb gives to thing and person.
    """
    more = looks[..., 1] - looks[..., 0]
    return (more * SIGN[:, None, None]).mean(axis=0)


def record(
    subject: Subject,
    nouns: tuple[str, str, str, str],
    others: Sequence[tuple[str, str, str, str]],
    words: tuple[str, str] = (" born", " written"),
) -> dict:
    """What a model makes of the texts, with all of its heads and without some.

    Args:
        subject: the model. Each noun must be one token for it.
        nouns: the arguments of `four_texts`.
        others: of other texts, on which the heads found are tried.
        words: what may follow, one token each; the first one of the person.
    """
    yes, no = (subject.encode(word)[-1] for word in words)

    def odds(nouns: tuple[str, str, str, str], off: Sequence[str] = ()) -> list[float]:
        found = []
        for text, *_ in four_texts(*nouns):
            reading = Reading(subject.model, subject.encode(text), off)
            logits = reading.logits(-1, [len(reading.ids) - 1])[0]
            found.append(round((logits[yes] - logits[no]).item(), 3))
        return found

    looks, likeliest = [], []
    for text, *pair in four_texts(*nouns):
        reading = Reading(subject.model, subject.encode(text))
        at = [reading.ids.index(subject.encode(f" {noun}")[-1]) for noun in pair]
        layers = range(reading.layers)
        weights = torch.stack([reading.weights(layer)[:, -1, at] for layer in layers])
        looks.append([[[round(w, 3) for w in h] for h in layer] for layer in weights.tolist()])
        p = reading.logits(-1, [len(reading.ids) - 1])[0].softmax(dim=-1)
        best = p.argsort(descending=True)[:LIKELIEST].tolist()
        likeliest.append([[subject.spell(i), round(p[i].item(), 3)] for i in best])
    L, H = subject.sizes.layers, subject.sizes.heads
    names = [f"{layer}.h{head}" for layer in range(L) for head in range(H)]
    order = np.argsort(-told_apart(np.array(looks)).ravel(), kind="stable")
    heads, rest = [[names[i] for i in part] for part in (order[:HEADS], order[HEADS:])]
    return {
        "texts": [text for text, *_ in four_texts(*nouns)],
        "words": words,
        "likeliest": likeliest,
        "looks": looks,
        "odds": odds(nouns),
        "alone": [odds(nouns, [name]) for name in names],
        "heads": heads,
        "without": odds(nouns, heads),
        "draws": [odds(nouns, random.Random(i).sample(rest, HEADS)) for i in range(DRAWS)],
        "others": [
            {"text": four_texts(*other)[0][0], "odds": odds(other), "without": odds(other, heads)}
            for other in others
        ],
    }


def said_twice(words: Sequence[int], seed: int, length: int) -> list[int]:
    """Different words, drawn by chance, and then the same ones once more."""
    once = random.Random(seed).sample(words, length)
    return once + once


def record_copies(
    subject: Subject,
    texts: Sequence[str] = (),
    shown: int = 12,
    length: int = 40,
    draws: int = DRAWS,
) -> dict:
    """Which heads look at what came after an earlier copy, and what a model says without them.

    Args:
        subject: the model.
        texts: whose weights are kept, beside those of words that are said twice.
        shown: how many words these are.
        length: how many words are said twice in the texts that are measured.
        draws: how many such texts there are.

    Returns:
        "previous", "first", "repeat": (L, H), the mean weight that a head gives to the token
        before, to the first one, and to the one after the earlier copy (`Reading.measures`);
        "heads": those with the most on the latter; "losses", "without", "chance": the mean
        surprise at each token but the first, with all heads, without these, and without others
        drawn by chance; "looking": a head for each of the three measures; "views": of each text
        its tokens, the weights of the three heads (3, T, T), and the likeliest tokens to follow.
    """
    V = subject.sizes.vocabulary
    words = [i for i in range(V) if WORD.fullmatch(subject.spell(i))]
    drawn = [said_twice(words, i, length) for i in range(draws)]

    def losses(off: Callable[[int], Sequence[str]]) -> list[float]:
        each = [Reading(subject.model, ids, off(i)).losses for i, ids in enumerate(drawn)]
        return [round(loss, 3) for loss in np.mean(each, axis=0).tolist()]

    each = [Reading(subject.model, ids).measures for ids in drawn]
    found = {name: np.mean([one[name] for one in each], axis=0) for name in LOOKING}
    L, H = found["repeat"].shape
    names = [f"{layer}.h{head}" for layer in range(L) for head in range(H)]
    order = np.argsort(-found["repeat"].ravel(), kind="stable")
    heads, rest = [[names[i] for i in part] for part in (order[:HEADS], order[HEADS:])]
    looking = {name: names[found[name].argmax()] for name in LOOKING}
    views = []
    for ids in (said_twice(words, draws, shown), *map(subject.encode, texts)):
        reading = Reading(subject.model, ids)
        at = [map(int, name.split(".h")) for name in looking.values()]
        weights = [reading.weights(layer)[head].tolist() for layer, head in at]
        p = reading.logits(-1, [len(ids) - 1])[0].softmax(dim=-1)
        best = p.argsort(descending=True)[:LIKELIEST].tolist()
        views.append(
            {
                "tokens": [subject.spell(i) for i in ids],
                "weights": [[[round(w, 3) for w in row] for row in head] for head in weights],
                "likeliest": [[subject.spell(i), round(p[i].item(), 3)] for i in best],
            }
        )
    return {
        **{name: found[name].round(3).tolist() for name in LOOKING},
        "heads": heads,
        "losses": losses(lambda i: ()),
        "without": losses(lambda i: heads),
        "chance": losses(lambda i: random.Random(i).sample(rest, HEADS)),
        "looking": looking,
        "views": views,
    }


def recorded_heads(name: str) -> dict:
    """What `tools/record-heads` has kept, numbers as arrays."""
    kept = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return kept | {key: np.array(kept[key]) for key in ARRAYS if key in kept}
