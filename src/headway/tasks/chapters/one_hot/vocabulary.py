"""Build a vocabulary: words to ids and back."""

import numpy as np

from headway.tasks.chapters.one_hot.mistakes import (
    IDS_MADE_TWICE,
    IDS_NOT_SORTED,
    OFF_BY_ONE,
    REPEATS_COUNTED,
    TEXT_READ_OTHERWISE,
    UNKNOWN_DROPPED,
    UNKNOWN_MISPLACED,
    UNKNOWN_RAISES,
    UNKNOWN_SHARES_AN_ID,
    VOCABULARY_GROWS,
)
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import AnyOf, changed
from headway.tasks.engine.probe.calls import use
from headway.tasks.engine.task import Case, Task

WORDS = ("the", "flower", "that", "grew", "up", "in", "a", "pot", "smells", "great", "today")


class AlphabeticalVocabulary:
    """Ids in alphabetical order; the last id, V−1, is for unknown words."""

    def __init__(self, words):
        self.words = [*sorted(set(words)), "<unk>"]
        self.ids = {word: i for i, word in enumerate(self.words)}

    def __len__(self):
        return len(self.words)

    def encode(self, sentence):
        return [self.ids.get(word, len(self.words) - 1) for word in sentence]

    def decode(self, ids):
        return [self.words[i] for i in ids]


def vocabulary_cases(rng: np.random.Generator) -> list[Case]:
    words = [str(word) for word in rng.permutation(WORDS)]
    sentence = [str(word) for word in rng.choice(words, 6)]
    places = [int(i) for i in rng.permutation(len(words))[:5]]
    repeats = [*words[:4], *words[:2], words[3]]
    return [
        Case("known words", (words,), ("encode", sentence), ("decode", places), core=True),
        Case("a word list with repeats", (repeats,), ("__len__",), ("encode", words[:4])),
        Case("unknown words", (words,), ("encode", [words[0], "cactus", words[1], "stinks"])),
        # Two of them are known to a vocabulary that was made before.
        Case("nothing but unknown words", (words[:4],), ("encode", ["xylem", *words[5:7]])),
        Case("the id of unknown words", (words,), ("decode", [len(words), 0])),
        Case(
            "what was asked before",
            (words,),
            ("encode", ["cactus", words[0], "stinks"]),
            ("__len__",),
            ("encode", ["stinks", "xylem", words[1]]),
            ("decode", [len(words), 1]),
        ),
        Case("an empty sentence", (words,), ("encode", []), ("decode", [])),
        Case(
            "capitals and accents",
            (["zoë", "Zoo", "äpfel", "apfel"],),
            ("decode", [0, 1, 2, 3]),
            ("encode", ["zoo", "Zoo", "apfel"]),
        ),
    ]


class GrowingList(AlphabeticalVocabulary):
    """Appends a word that it does not know to its list."""

    def __init__(self, words):
        self.words = sorted(set(words))

    def __len__(self):
        return len(self.words) + 1

    def encode(self, sentence):
        self.words += [word for word in dict.fromkeys(sentence) if word not in self.words]
        return [self.words.index(word) for word in sentence]

    def decode(self, ids):
        return [[*self.words, "<unk>"][i] for i in ids]


class GrowingWhenDecoded(AlphabeticalVocabulary):
    """Appends <unk> to its list whenever it decodes."""

    def __init__(self, words):
        super().__init__(words)
        del self.words[-1]

    def __len__(self):
        return len(self.words) + 1

    def encode(self, sentence):
        return [self.ids.get(word, len(self.words)) for word in sentence]

    def decode(self, ids):
        self.words.append("<unk>")
        return super().decode(ids)


class SharingList(AlphabeticalVocabulary):
    """Puts a word that it does not know into its table, under the id that unknown words share."""

    def __len__(self):
        return len(self.ids)

    def encode(self, sentence):
        return [self.ids.setdefault(word, self.ids["<unk>"]) for word in sentence]


class SharingWords(SharingList):
    """The same, and decodes by the table."""

    def decode(self, ids):
        words = {i: word for word, i in self.ids.items()}
        return [words[i] for i in ids]


ENCODED = "self.ids.get(word, len(self.words) - 1)"
LISTED = '[*sorted(set(words)), "<unk>"]'
UNKNOWN_ID_DROPPED = "i in ids]", "i in ids if i < len(self.words) - 1]"
APPEARANCE = '[*dict.fromkeys(words), "<unk>"]'
AS_LISTED = '[*words, "<unk>"]'


def encoding(*ids: str) -> AnyOf:
    """Vocabularies that encode a word in another way."""
    return changed(AlphabeticalVocabulary, ENCODED, *ids)


GROWN = "self.ids.setdefault(word, len(self.ids))"
growing = changed(*encoding(GROWN), "enumerate(self.words)", "enumerate(self.words[:-1])")


def listing(*words: str) -> AnyOf:
    """Vocabularies with another list of words."""
    return changed(AlphabeticalVocabulary, LISTED, *words)


def unknown_first(words: str) -> AnyOf:
    """The vocabulary with another list of words, which begins with the unknown one."""
    return changed(*listing(words), ENCODED, "self.ids.get(word, 0)")


vocabulary = Task(
    id="01-one-hot/vocabulary",
    title="A vocabulary: encode and decode",
    kind="build",
    points=3,
    minutes=12,
    answer="Vocabulary",
    verb=use,
    cases=vocabulary_cases,
    reference=AlphabeticalVocabulary,
    misconceptions=(
        IDS_NOT_SORTED.by(
            listing(APPEARANCE, AS_LISTED, '[*set(words), "<unk>"]'),
            changed(
                *listing(AS_LISTED),
                "{word: i for i, word in enumerate(self.words)}",
                "{word: self.words.index(word) for word in self.words}",
            ),
            changed(*listing(APPEARANCE), *UNKNOWN_ID_DROPPED),
            unknown_first('["<unk>", *dict.fromkeys(words)]'),
        ),
        TEXT_READ_OTHERWISE.by(
            listing(
                '[*sorted({word.lower() for word in words}), "<unk>"]',
                '[*sorted(set(words), key=str.lower), "<unk>"]',
            ),
            encoding("self.ids.get(word.lower(), len(self.words) - 1)"),
            changed(
                *listing('[*sorted({word.lower() for word in words}), "<unk>"]'),
                ENCODED,
                "self.ids.get(word.lower(), len(self.words) - 1)",
            ),
            changed(
                AlphabeticalVocabulary,
                "[self.words[i] for i in ids]",
                '" ".join(self.words[i] for i in ids)',
            ),
        ),
        REPEATS_COUNTED.by(listing('[*sorted(words), "<unk>"]')),
        OFF_BY_ONE.by(
            changed(*encoding(f"1 + {ENCODED}"), "self.words[i]", "self.words[i - 1]"),
            changed(AlphabeticalVocabulary, "self.words[i]", "self.words[i - 1]"),
            changed(AlphabeticalVocabulary, "enumerate(self.words)", "enumerate(self.words, 1)"),
        ),
        UNKNOWN_SHARES_AN_ID.by(
            encoding(
                "self.ids.get(word, 0)",
                "self.ids.get(word, len(self.words) - 2)",
                "int(np.searchsorted(self.words[:-1], word))",
            )
        ),
        UNKNOWN_MISPLACED.by(
            unknown_first('["<unk>", *sorted(set(words))]'),
            listing('sorted({*words, "<unk>"})'),
            encoding(
                "self.ids.get(word, -1)",
                "self.ids.get(word)",
                "self.ids.get(word, len(self.words))",
            ),
            changed(AlphabeticalVocabulary, "len(self.words)\n\n", "len(self.words) - 1\n\n"),
            listing("sorted(set(words))"),
        ),
        UNKNOWN_DROPPED.by(
            changed(
                AlphabeticalVocabulary, "word in sentence", "word in sentence if word in self.ids"
            ),
            changed(AlphabeticalVocabulary, *UNKNOWN_ID_DROPPED),
        ),
        UNKNOWN_RAISES.by(
            encoding("self.ids[word]"),
            changed(AlphabeticalVocabulary, "self.words[i]", "self.words[:-1][i]"),
        ),
        VOCABULARY_GROWS.by(
            encoding(GROWN),
            growing,
            GrowingList,
            GrowingWhenDecoded,
            SharingList,
            SharingWords,
            changed(*growing, "return len(self.words)", "return len(self.ids)"),
            # A table that keeps the words of all cases begins with those of the first.
            listing('[*dict.fromkeys([*sorted(WORDS), *sorted(words)]), "<unk>"]'),
            changed(
                AlphabeticalVocabulary,
                "self.ids = {",
                "self.ids = {word: i for i, word in enumerate(sorted(WORDS))} | {",
            ),
        ),
        IDS_MADE_TWICE.by(
            changed(
                *listing(f"{LISTED}\n        self.seen = {APPEARANCE}"),
                "self.words[i]",
                "self.seen[i]",
            )
        ),
    ),
    compare=equal(),
)
