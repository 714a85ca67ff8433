"""Words with two senses: the same *bank* by the river and about the loan.

    by the river she noticed the bank in the reeds

Each sentence holds one such word and two clues of one sense. All other words come with either
sense equally often, so only the clues tell the senses apart, and a single vector for the word
cannot. A model can learn without being told that *river* and *reeds* belong to one sense.
"""

from itertools import permutations, product
from typing import NamedTuple

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
