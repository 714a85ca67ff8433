"""A language that nobody has read: its words, its grammar and its probabilities are drawn.

    language = draw_language(np.random.default_rng(7))
    text = language.text(rng, 100_000)       # bytes to learn from
    rows = language.rows(rng, 32, 128)       # other stories, and what each of their bytes must cost

A story is a line of some ninety bytes. It introduces somebody by a noun and a name, and goes on:

    tolu Kabe rimane dofi. Kabe sori lomane. pani vebo lomase tuli. Kabe rimane.

- Words have frequencies, and an object depends on its verb: a chain of a few bytes learns these.
- A verb ends as the kind of its subject asks. Whoever goes by a name is of the kind of the noun
  that came with it, a sentence or three ago: agreement at a distance.
- The name is drawn for its story and comes back in it. No text that was read before tells of it,
  and whoever looks back finds it.

Each choice is made among words that end in a space or a period, so the probability of every byte
after those before it is known exactly. Its cost, −log₂ P, is the least that a model can pay on
average: no model of the text can do better than the language itself.
"""

import math
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from headway.text.corpus.split import choose, shuffled

VOWELS, CONSONANTS, CAPITALS = "aeiou", "bcdfghjklmnprstvwyz", "BDFGKLMNPRST"
KEPT_CONSONANTS, KEPT_CAPITALS = 12, 8
NOUNS, VERBS, ADVERBS, OBJECTS = 12, 8, 6, 10
LIKED = 3  # the objects that a verb has, of all there are
BY_NAME = 0.75  # how often a later sentence is about whoever has the name
WITH_ADVERB, WITH_OBJECT = 0.5, 0.6
SHORTEST, LONGEST, GOES_ON = 3, 4, 0.6  # sentences of a story; how often there is a fourth
START = "\n"

Choice = dict[str, float]


class Story(NamedTuple):
    """A line of text.

    Attributes:
        text: with the end of the line.
        bits: float64 (N,), −log₂ of each byte's probability after those before it.
        again: bool (N,), whether a byte belongs to a name that has come before.
        agrees: bool (N,), whether it belongs to the ending of a verb whose subject is a name.
    """

    text: str
    bits: np.ndarray
    again: np.ndarray
    agrees: np.ndarray


class Rows(NamedTuple):
    """Texts of one length, each of which begins with a line's end and goes on with stories.

    Attributes:
        text: uint8 (B, T).
        bits: float64 (B, T), as in `Story`; 0 for the first byte, which is given.
        again, agrees: bool (B, T), as in `Story`.
    """

    text: np.ndarray
    bits: np.ndarray
    again: np.ndarray
    agrees: np.ndarray


@dataclass(frozen=True)
class DrawnLanguage:
    """Words and probabilities; `draw_language` makes one.

    Attributes:
        nouns: the probability of each, of both kinds.
        kinds: 0 or 1 for each noun.
        verbs: the probability of each stem.
        endings: of a verb, by the kind of its subject.
        adverbs: the probability of each.
        objects: for each stem, the probability of its objects.
        name_letters: the letters of each place of a name, each as likely as the others.
    """

    nouns: Choice
    kinds: dict[str, int]
    verbs: Choice
    endings: tuple[str, str]
    adverbs: Choice
    objects: dict[str, Choice]
    name_letters: tuple[str, ...]

    def story(self, rng: np.random.Generator) -> Story:
        """Draw a story."""
        writer = _Writer(self, rng)
        writer.write()
        return Story(writer.text, writer.bits(), np.array(writer.again), np.array(writer.agrees))

    def text(self, rng: np.random.Generator, size: int) -> np.ndarray:
        """Whole stories one after the other, as many as fit: uint8 (N,), N at most `size`."""
        lines, length = [], 0
        while True:
            writer = _Writer(self, rng)
            writer.write()
            length += len(writer.text)
            if length > size:
                return as_bytes("".join(lines))
            lines.append(writer.text)

    def rows(self, rng: np.random.Generator, count: int, length: int) -> Rows:
        """Draw texts and what they cost.

        Args:
            rng: the source of chance.
            count: B, the number of texts.
            length: T, of each.
        """
        rows = [self._row(rng, length) for _ in range(count)]
        return Rows(*map(np.array, zip(*rows, strict=True)))

    def _row(self, rng: np.random.Generator, length: int) -> tuple[np.ndarray, ...]:
        stories = [Story(START, np.zeros(1), *np.zeros((2, 1), dtype=bool))]
        while sum(len(story.text) for story in stories) < length:
            stories.append(self.story(rng))
        text, *others = zip(*stories, strict=True)
        row = as_bytes("".join(text)), *map(np.concatenate, others)
        return tuple(array[:length] for array in row)


class _Writer:
    """Writes one story, choice by choice.

    Attributes:
        text: as far as it is written.
        again, agrees: for each byte, as in `Story`.
        choices: what there was to choose from, and what was chosen.
    """

    def __init__(self, language: DrawnLanguage, rng: np.random.Generator):
        self.language, self.rng = language, rng
        self.text, self.again, self.agrees, self.choices = "", [], [], []

    def write(self) -> None:
        """Write the whole story."""
        its = self.language
        kind = its.kinds[self.choose(spaced(its.nouns)).strip()]
        name = "".join(map(self.choose, map(evenly, its.name_letters)))
        self.choose({" ": 1.0})
        self.predicate(kind, by_name=True)
        subjects = {f"{name} ": BY_NAME, **spaced(its.nouns, 1 - BY_NAME)}
        for sentence in range(1, LONGEST):
            on = 1.0 if sentence < SHORTEST else GOES_ON
            if self.choose({" ": on, START: 1 - on}) == START:
                break
            at = len(self.text)
            subject = self.choose(subjects).strip()
            if subject == name:
                self.again[at : at + len(name)] = [True] * len(name)
            by_name = subject == name
            self.predicate(kind if by_name else its.kinds[subject], by_name)
        else:
            self.choose({START: 1.0})

    def predicate(self, kind: int, by_name: bool) -> None:
        """Perhaps an adverb, the verb as the kind of its subject asks, perhaps an object."""
        its = self.language
        verbs = {
            f"{stem}{its.endings[kind]}{after}": p * share
            for stem, p in its.verbs.items()
            for after, share in ((" ", WITH_OBJECT), (".", 1 - WITH_OBJECT))
        }
        with_adverb = spaced(its.adverbs, WITH_ADVERB)
        word = self.choose(with_adverb | {v: p * (1 - WITH_ADVERB) for v, p in verbs.items()})
        if word in with_adverb:
            word = self.choose(verbs)
        if by_name:
            end = len(self.text) - 1
            at = end - len(its.endings[kind])
            self.agrees[at:end] = [True] * (end - at)
        if word.endswith(" "):
            objects = its.objects[word.strip().removesuffix(its.endings[kind])]
            self.choose({f"{thing}.": p for thing, p in objects.items()})

    def choose(self, options: Choice) -> str:
        """Write one of the options, none of which begins with another."""
        chosen = drawn(self.rng, options)
        self.choices.append((options, chosen))
        self.text += chosen
        self.again += [False] * len(chosen)
        self.agrees += [False] * len(chosen)
        return chosen

    def bits(self) -> np.ndarray:
        """What each byte costs after those before it: float64 (N,).

        P(byte) = P(options that begin as the choice does, this byte included) ÷ P(without it)
        """
        bits = []
        for options, chosen in self.choices:
            left = 1.0
            for end in range(1, len(chosen) + 1):
                options = {text: p for text, p in options.items() if text[:end] == chosen[:end]}
                still = sum(options.values())
                bits.append(-math.log2(still / left))
                left = still
        return np.maximum(bits, 0.0)


def draw_language(rng: np.random.Generator) -> DrawnLanguage:
    """Draw words, grammar and probabilities; the same generator gives the same language."""
    consonants = "".join(sorted(shuffled(rng, CONSONANTS)[:KEPT_CONSONANTS]))
    capitals = "".join(sorted(shuffled(rng, CAPITALS)[:KEPT_CAPITALS]))
    syllables = [c + v for c in consonants for v in VOWELS]
    taken: set[str] = set()

    def words(count: int, *lengths: int) -> list[str]:
        """New words, each of a number of syllables drawn from some."""
        made = []
        while len(made) < count:
            word = "".join(choose(rng, syllables) for _ in range(choose(rng, lengths)))
            if word not in taken:
                taken.add(word)
                made.append(word)
        return made

    one, other = shuffled(rng, syllables)[:2]
    endings = (one, other)
    stems = words(VERBS, 2)
    taken.update(stem + ending for stem in stems for ending in endings)
    nouns, adverbs = words(NOUNS, 2, 3), words(ADVERBS, 2, 3)
    objects = words(OBJECTS, 2, 3)
    return DrawnLanguage(
        nouns=frequent(nouns),
        kinds={noun: place % 2 for place, noun in enumerate(nouns)},
        verbs=frequent(stems),
        endings=endings,
        adverbs=frequent(adverbs),
        objects={stem: frequent(shuffled(rng, objects)[:LIKED]) for stem in stems},
        name_letters=(capitals, VOWELS, consonants, VOWELS),
    )


def as_bytes(text: str) -> np.ndarray:
    """The bytes of a text in ASCII, uint8 (N,)."""
    return np.frombuffer(text.encode("ascii"), dtype=np.uint8).copy()


def frequent(words: list[str]) -> Choice:
    """Probabilities that fall with the rank r as 1 / (r + 1)."""
    weights = 1 / np.arange(2, len(words) + 2)
    return dict(zip(words, (weights / weights.sum()).tolist(), strict=True))


def evenly(letters: str) -> Choice:
    """Each letter as likely as the others."""
    return dict.fromkeys(letters, 1 / len(letters))


def spaced(words: Choice, share: float = 1.0) -> Choice:
    """The words, each with a space behind it, and a share of their probabilities."""
    return {f"{word} ": share * p for word, p in words.items()}


def drawn(rng: np.random.Generator, options: Choice) -> str:
    """One of the options by its probability; their probabilities sum to one."""
    if len(options) == 1:
        return next(iter(options))
    at = bisect_right(list(accumulate(options.values())), rng.random())
    return list(options)[min(at, len(options) - 1)]
