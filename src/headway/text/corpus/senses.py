"""Words with two senses: the same *bank* by the river and about the loan.

Each sentence holds one such word and one clue, before the word or after it. All other words
come with either sense equally often, so only the clue tells them apart, and a single vector
for the word cannot.
"""

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


def _sentence(rng: np.random.Generator) -> Sense:
    word = choose(rng, tuple(SENSES))
    sense = choose(rng, tuple(SENSES[word]))
    clue = choose(rng, SENSES[word][sense])
    said = f"{choose(rng, PEOPLE)} {choose(rng, VERBS)} the {word}"
    text = choose(rng, (f"{said} {clue}", f"{clue} {said}"))
    return Sense(text, word, sense)
