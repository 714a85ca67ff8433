"""Words with two senses: the same *bank* by the river and about the loan.

    she noticed the bank by the river                  `two_senses`: one clue
    by the river she noticed the bank in the reeds     `with_two_clues`: two of one sense

Each sentence holds one such word and its clues, before the word or after it. All other words
come with either sense equally often, so only the clues tell the senses apart, and a single vector
for the word cannot. Where two clues stand together, a model can also learn without being told
that *river* and *reeds* belong to one sense.
"""

from itertools import permutations, product
from typing import NamedTuple

import numpy as np

from headway.text.corpus.split import choose

# word → sense → clues. No clue belongs to two senses.
SENSES = {
    "bank": {
        "shore": ("by the river", "in the reeds", "under the willow", "beside the canoe"),
        "money": ("about the loan", "for the account", "after the deposit", "with the cashier"),
    },
    "bat": {
        "animal": ("in the cave", "at dusk", "under the roof beams", "among the moths"),
        "club": ("with the baseball", "after the innings", "from the stadium", "near the pitcher"),
    },
    "spring": {
        "season": ("before summer", "with the tulips", "after the last snow", "since easter"),
        "coil": ("inside the mattress", "from the clockwork", "under the piston", "of steel wire"),
    },
    "crane": {
        "bird": ("over the marsh", "with its feathers", "on the nest", "beside the heron"),
        "machine": ("at the harbor", "on the building site", "with the hook", "beside the truck"),
    },
    "mouse": {
        "animal": ("behind the cheese", "from the barn", "with the whiskers", "near the cat"),
        "device": ("beside the keyboard", "on the screen", "with two buttons", "near the laptop"),
    },
    "bark": {
        "tree": ("of the oak", "on the trunk", "around the branch", "in the forest"),
        "dog": ("of the puppy", "from the kennel", "around the postman", "in the dog house"),
    },
}
PEOPLE = ("she", "he", "my sister", "your brother", "the teacher", "our neighbor")
VERBS = ("remembered", "described", "mentioned", "noticed", "imagined", "talked about")


class Sense(NamedTuple):
    """A sentence, the word in it that has two senses, and the sense that is meant."""

    text: str
    word: str
    sense: str


def two_senses(rng: np.random.Generator, count: int) -> list[Sense]:
    """Draw sentences with an ambiguous word: word, sense, clue and frame uniformly.

    Args:
        rng: the source of chance.
        count: how many sentences; one may come again.

    Returns:
        list of `count` tuples (text, word, sense).
    """
    return [_sentence(rng) for _ in range(count)]


def with_two_clues() -> list[Sense]:
    """Every sentence with an ambiguous word and two different clues of one sense.

    Both clues stand after the word, or one before it.

    Returns:
        list of tuples (text, word, sense), no text twice, always in the same order.
    """
    return [
        Sense(text, word, sense)
        for word, senses in SENSES.items()
        for sense, clues in senses.items()
        for one, other in permutations(clues, 2)
        for person, verb in product(PEOPLE, VERBS)
        for said in (f"{person} {verb} the {word}",)
        for text in (f"{said} {one} {other}", f"{one} {said} {other}")
    ]


def _sentence(rng: np.random.Generator) -> Sense:
    word = choose(rng, tuple(SENSES))
    sense = choose(rng, tuple(SENSES[word]))
    clue = choose(rng, SENSES[word][sense])
    said = f"{choose(rng, PEOPLE)} {choose(rng, VERBS)} the {word}"
    text = choose(rng, (f"{said} {clue}", f"{clue} {said}"))
    return Sense(text, word, sense)
