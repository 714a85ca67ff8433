"""Build a vocabulary: words to ids and back."""

import numpy as np

from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.probe import use
from headway.tasks.engine.task import Case, Task

WORDS = ("the", "flower", "that", "grew", "up", "in", "a", "pot", "smells", "great", "today")


class AlphabeticalVocabulary:
    """Ids in alphabetical order; the last id, V−1, is for unknown words."""

    def __init__(self, words):
        self.words = [*self.order(words), "<unk>"]
        self.ids = {word: i for i, word in enumerate(self.words)}

    def order(self, words):
        return sorted(set(words))

    def __len__(self):
        return len(self.words)

    def encode(self, sentence):
        return [self.ids.get(word, len(self.words) - 1) for word in sentence]

    def decode(self, ids):
        return [self.words[i] for i in ids]


class _FirstSeen(AlphabeticalVocabulary):
    def order(self, words):
        return list(dict.fromkeys(words))


class _SetOrder(AlphabeticalVocabulary):
    def order(self, words):
        return list(set(words))


class _RepeatsCounted(AlphabeticalVocabulary):
    def order(self, words):
        return sorted(words)


class _OffByOne(AlphabeticalVocabulary):
    def encode(self, sentence):
        return [i + 1 for i in super().encode(sentence)]

    def decode(self, ids):
        return super().decode([i - 1 for i in ids])


class _UnknownToZero(AlphabeticalVocabulary):
    def encode(self, sentence):
        return [self.ids.get(word, 0) for word in sentence]


class _UnknownToMinusOne(AlphabeticalVocabulary):
    def encode(self, sentence):
        return [self.ids.get(word, -1) for word in sentence]


class _UnknownDropped(AlphabeticalVocabulary):
    def encode(self, sentence):
        return [self.ids[word] for word in sentence if word in self.ids]


class _UnknownRaises(AlphabeticalVocabulary):
    def encode(self, sentence):
        return [self.ids[word] for word in sentence]


class _MixedOrder(AlphabeticalVocabulary):
    def decode(self, ids):
        return [[*self.seen, "<unk>"][i] for i in ids]

    def order(self, words):
        self.seen = list(dict.fromkeys(words))
        return super().order(words)


class _UnknownNotCounted(AlphabeticalVocabulary):
    def __len__(self):
        return len(self.words) - 1


class _UnknownFirst(AlphabeticalVocabulary):
    def __init__(self, words):
        self.words = ["<unk>", *self.order(words)]
        self.ids = {word: i for i, word in enumerate(self.words)}

    def encode(self, sentence):
        return [self.ids.get(word, 0) for word in sentence]


def vocabulary_cases(rng: np.random.Generator) -> list[Case]:
    words = [str(word) for word in rng.permutation(WORDS)]
    sentence = [str(word) for word in rng.choice(words, 6)]
    places = [int(i) for i in rng.permutation(len(words))[:5]]
    repeats = [*words[:4], *words[:2], words[3]]
    return [
        Case("known words", (words,), ("encode", sentence), ("decode", places), core=True),
        Case("a word list with repeats", (repeats,), ("__len__",), ("encode", words[:4])),
        Case("unknown words", (words,), ("encode", [words[0], "cactus", words[1], "stinks"])),
        Case("nothing but unknown words", (words,), ("encode", ["xylem", "cactus"])),
        Case("the id of unknown words", (words,), ("decode", [len(words), 0])),
        Case("an empty sentence", (words,), ("encode", []), ("decode", [])),
        Case("capitals and accents", (["zoë", "Zoo", "äpfel", "apfel"],), ("decode", [0, 1, 2, 3])),
    ]


vocabulary = Task(
    id="01-one-hot/vocabulary",
    title="A vocabulary: encode and decode",
    kind="build",
    points=3,
    minutes=15,
    answer="Vocabulary",
    probe=use,
    cases=vocabulary_cases,
    reference=AlphabeticalVocabulary,
    misconceptions=(
        Misconception(
            "first-seen-order",
            _FirstSeen,
            "Your ids follow the order in which words first appear. Would the same words, listed "
            "in another order, get the same ids?",
        ),
        Misconception(
            "set-order",
            _SetOrder,
            "Your ids follow the order of a Python set. Start Python again and print the set: is "
            "the order the same?",
        ),
        Misconception(
            "unknown-first",
            _UnknownFirst,
            "Your id 0 is for unknown words, as in the chapter. Which id is theirs in this task?",
        ),
        Misconception(
            "repeats-counted",
            _RepeatsCounted,
            "A word that stands twice in the list takes two ids. Which of them does it get, and "
            "what is the other for?",
        ),
        Misconception(
            "off-by-one",
            _OffByOne,
            "Your ids are all one too large: they count from 1. Which row of a matrix has index 1?",
        ),
        Misconception(
            "unknown-to-zero",
            _UnknownToZero,
            "Unknown words get the id 0. Whose id is that already?",
        ),
        Misconception(
            "unknown-to-minus-one",
            _UnknownToMinusOne,
            "Unknown words get the id −1. As an index of a list that happens to find the last "
            "symbol. Is it among 0 … V−1?",
        ),
        Misconception(
            "unknown-dropped",
            _UnknownDropped,
            "Unknown words vanish: your list of ids is shorter than the sentence. How would a "
            "reader of the ids know that something stood there?",
        ),
        Misconception(
            "unknown-raises",
            _UnknownRaises,
            "An unknown word ends your encoder with an exception. Which id is kept for such words?",
        ),
        Misconception(
            "mixed-order",
            _MixedOrder,
            "Encoding then decoding gives other words than those put in. Do both directions count "
            "the words in the same order?",
        ),
        Misconception(
            "unknown-not-counted",
            _UnknownNotCounted,
            "Your length is one short of the number of different ids. How long must a one-hot "
            "vector be to have a place for an unknown word?",
        ),
    ),
    compare=equal(),
)
