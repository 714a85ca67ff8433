"""English sentences with their French translations: agreement, elision, negation, moved words.

    I love learning languages          → j' aime apprendre les langues
    the small cats see a red house     → les petits chats voient une maison rouge
    she does not see any old trees     → elle ne voit pas de vieux arbres

French articles and adjectives agree with their noun in gender and number, verbs with their
subject; most adjectives go behind the noun, some do not; e and a are dropped before a vowel;
*ne … pas* goes round the verb, and after it an indefinite article becomes *de*. "You" is *tu*,
"they" is *ils*. A source has one target; *love* and *enjoy* share theirs, so keep pairs with
equal targets together when you part them. Words are parted by single spaces, and elided words
stand by themselves: "j' aime".
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from headway.text.corpus import french
from headway.text.corpus.split import choose, shuffled

LIVING = french.PEOPLE + french.ANIMALS
OWNED = french.ANIMALS + french.THINGS
NOUNS = LIVING + french.THINGS

# How often; ACTIVITY and LIKED are shares of all sentences.
WITH_ADJECTIVE, PLURAL, PRONOUN, ACTIVITY, LIKED, NEGATED = 0.6, 0.35, 0.3, 0.1, 0.2, 0.2


class Translation(NamedTuple):
    """A source sentence, its target, and the (adjective, noun) pairs of the English side."""

    source: str
    target: str
    combinations: tuple[tuple[str, str], ...]


class Phrase(NamedTuple):
    """A subject or an object in both languages; `person` chooses the verb's form."""

    english: str
    french: str
    person: int
    combinations: tuple[tuple[str, str], ...]


def translations(rng: np.random.Generator, count: int) -> list[Translation]:
    """Draw distinct sentence pairs.

    Args:
        rng: the source of chance.
        count: how many. There are more than 10⁷ sentences to choose from.

    Returns:
        list of `count` tuples (source, target, combinations), all different.
    """
    found: dict[Translation, None] = {}
    while len(found) < count:
        found.setdefault(_sentence(rng))
    return list(found)


def hold_out_combinations(
    rng: np.random.Generator, pairs: Sequence[Translation], share: float = 0.1
) -> tuple[list[Translation], list[Translation]]:
    """Part pairs so that some adjective–noun combinations are seen in the second part only.

    Every adjective and every noun is still seen in the first part, each with other partners,
    if there are enough pairs: what is held out is that they come together.

    Args:
        rng: decides which combinations are held out.
        pairs: sentence pairs; their order is kept.
        share: of the combinations that occur, in 0 … 1, rounded to the nearest.

    Returns:
        kept, without any held combination; held_out, each with at least one.

    Raises:
        ValueError: if `share` is not in 0 … 1.
    """
    if not 0 <= share <= 1:
        raise ValueError(f"share is a part of the whole, in 0 … 1; got {share}")
    combinations = sorted({combination for pair in pairs for combination in pair.combinations})
    held = set(shuffled(rng, combinations)[: round(share * len(combinations))])
    kept = [pair for pair in pairs if held.isdisjoint(pair.combinations)]
    return kept, [pair for pair in pairs if not held.isdisjoint(pair.combinations)]


def _sentence(rng: np.random.Generator) -> Translation:
    subject = _pronoun(rng) if rng.random() < PRONOUN else _noun_phrase(rng, LIVING)
    negated = rng.random() < NEGATED
    kind = rng.random()
    if kind < ACTIVITY:
        verb, thing = choose(rng, (*french.LIKING, french.ENJOY)), _activity(rng)
    elif kind < ACTIVITY + LIKED:
        verb = choose(rng, french.LIKING)
        thing = _noun_phrase(rng, NOUNS, kinds=("the", "my", "our", "this"))
    else:
        verb = choose(rng, french.GETTING + french.MEETING)
        nouns = OWNED if verb in french.GETTING else NOUNS
        thing = _noun_phrase(rng, nouns, negated=negated)
    english, translated = _predicate(verb, subject.person, negated)
    start = subject.french
    if start == "je" and french.elides(translated):
        start = "j'"
    return Translation(
        f"{subject.english} {english} {thing.english}",
        f"{start} {translated} {thing.french}",
        subject.combinations + thing.combinations,
    )


def _predicate(verb: french.Verb, person: int, negated: bool) -> tuple[str, str]:
    """The verb in both languages, with its negation."""
    form = verb.french[person]
    if not negated:
        return (verb.third if person == french.THIRD else verb.english), form
    helper = "does" if person == french.THIRD else "do"
    ne = "n'" if french.elides(form) else "ne"
    return f"{helper} not {verb.english}", f"{ne} {form} pas"


def _pronoun(rng: np.random.Generator) -> Phrase:
    english, translated, person = choose(rng, french.PRONOUNS)
    return Phrase(english, translated, person, ())


def _activity(rng: np.random.Generator) -> Phrase:
    doing, what = choose(rng, french.DOING), choose(rng, french.SUBJECTS_OF_STUDY)
    return Phrase(f"{doing[0]} {what[0]}", f"{doing[1]} {what[1]}", french.THIRD, ())


def _noun_phrase(
    rng: np.random.Generator,
    nouns: tuple[french.Noun, ...],
    kinds: tuple[str, ...] = tuple(french.DETERMINERS),
    negated: bool = False,
) -> Phrase:
    noun, kind, plural = choose(rng, nouns), choose(rng, kinds), rng.random() < PLURAL
    fitting = french.ADJECTIVES_OF_ALL
    if noun not in french.PEOPLE:
        fitting += french.ADJECTIVES_OF_THINGS
    adjective = choose(rng, fitting) if rng.random() < WITH_ADJECTIVE else None
    return Phrase(
        english_noun_phrase(noun, adjective, kind, plural, negated),
        french_noun_phrase(noun, adjective, kind, plural, negated),
        french.THIRD_PLURAL if plural else french.THIRD,
        ((adjective.english, noun.english),) if adjective else (),
    )


def french_noun_phrase(
    noun: french.Noun, adjective: french.Adjective | None, kind: str, plural: bool, negated: bool
) -> str:
    """Determiner, noun and adjective in the order of French, all of them agreeing.

    `kind` is a key of `french.DETERMINERS`; `negated` says that it is the object of a negated verb.
    """
    words = [noun.pluriel if plural else noun.french]
    if adjective:
        words.insert(0 if adjective.before else 1, french.agree(adjective, noun, plural))
    article = french.determiner(kind, noun, plural, words[0])
    # "des" before an adjective, and every indefinite article after "ne … pas", is "de".
    if kind == "a" and (negated or (plural and adjective and adjective.before)):
        article = "d'" if french.elides(words[0]) else "de"
    return " ".join((article, *words))


def english_noun_phrase(
    noun: french.Noun, adjective: french.Adjective | None, kind: str, plural: bool, negated: bool
) -> str:
    """The same phrase in English: *a* or *an*, *some*, and *any* after a negation."""
    words = [adjective.english] if adjective else []
    words.append(noun.plural if plural else noun.english)
    singular, several, _ = french.DETERMINERS[kind]
    article = several if plural else singular
    if kind == "a" and plural and negated:
        article = "any"
    elif kind == "a" and not plural and words[0][0] in "aeiou":
        article = "an"
    return " ".join((article, *words))
