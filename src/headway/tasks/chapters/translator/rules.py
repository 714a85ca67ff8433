"""The grammar of the sentences, read backwards: it translates without having learned anything.

It stands in for a perfect network where the tests need one at once, and with single rules left
out for the mistakes of bad ones.
"""

from functools import lru_cache
from typing import NamedTuple

from headway.text.corpus import french
from headway.text.corpus.translation import (
    NOUNS,
    english_noun_phrase,
    french_noun_phrase,
)

VERBS = (*french.LIKING, french.ENJOY, *french.GETTING, *french.MEETING)


class Part(NamedTuple):
    """A subject or an object: its French, the person of its verb, and what stands in it."""

    french: str
    person: int
    words: tuple = ()


@lru_cache
def parts(negated: bool) -> dict[str, Part]:
    """Every subject and object of the grammar by its English."""
    found = {english: Part(translated, person) for english, translated, person in french.PRONOUNS}
    for doing, done in french.DOING:
        for what, studied in french.SUBJECTS_OF_STUDY:
            found[f"{doing} {what}"] = Part(f"{done} {studied}", french.THIRD)
    for noun in NOUNS:
        adjectives = (None, *french.ADJECTIVES_OF_ALL, *french.ADJECTIVES_OF_THINGS)
        for adjective in adjectives:
            for kind in french.DETERMINERS:
                for plural in (False, True):
                    words = (noun, adjective, kind, plural, negated)
                    person = french.THIRD_PLURAL if plural else french.THIRD
                    part = Part(french_noun_phrase(*words), person, words)
                    found[english_noun_phrase(*words)] = part
    return found


@lru_cache
def predicates() -> dict[str, tuple[french.Verb, bool]]:
    """Every verb as it stands in a sentence, and whether it is negated."""
    plain = {form: (verb, False) for verb in VERBS for form in (verb.english, verb.third)}
    return plain | {
        f"{helper} not {verb.english}": (verb, True) for verb in VERBS for helper in ("do", "does")
    }


def parse(sentence: str) -> tuple[Part, french.Verb, bool, Part]:
    """Subject, verb, whether it is negated, and object.

    Raises:
        ValueError: if the grammar does not make this sentence.
    """
    words = sentence.split()
    for i in range(1, len(words)):
        subject = parts(False).get(" ".join(words[:i]))
        for j in range(i + 1, min(i + 5, len(words))) if subject else ():
            verb, negated = predicates().get(" ".join(words[i:j]), (None, False))
            thing = parts(negated).get(" ".join(words[j:]))
            if verb and thing:
                return subject, verb, negated, thing
    raise ValueError(f"the grammar does not make this sentence: {sentence!r}")


def translate_by_rules(sentence: str) -> str:
    """The French of an English sentence of the grammar."""
    subject, verb, negated, thing = parse(sentence)
    return joined(subject.french, verb.french[subject.person], negated, thing.french)


def joined(subject: str, form: str, negated: bool, thing: str) -> str:
    """A French sentence from its parts, elided where it must be."""
    if negated:
        form = f"{'n' + chr(39) if french.elides(form) else 'ne'} {form} pas"
    if subject == "je" and french.elides(form):
        subject = "j'"
    return f"{subject} {form} {thing}"


@lru_cache
def dictionary() -> dict[str, str]:
    """A French word for each English one, the same everywhere."""
    found = {"does": "", "do": "", "not": "ne pas", "an": "un", "any": "de", "at": "", "for": ""}
    found |= {"to": "", "look": "regarde", "looks": "regarde", "listens": "écoute"}
    for verb in VERBS:
        found |= {form.split()[0]: verb.french[2] for form in (verb.english, verb.third)}
    for noun in NOUNS:
        found |= {noun.english: noun.french, noun.plural: noun.pluriel}
    for adjective in french.ADJECTIVES_OF_ALL + french.ADJECTIVES_OF_THINGS:
        found[adjective.english] = adjective.masculine
    for one, many, forms in french.DETERMINERS.values():
        found |= {one: forms[0], many: forms[3] if many != one else forms[0]}
    found |= {english: translated for english, translated, _ in french.PRONOUNS}
    found |= dict((*french.DOING, *french.SUBJECTS_OF_STUDY))
    return found


def word_by_word(sentence: str) -> str:
    """Each word by itself, in the order of the source."""
    return " ".join(" ".join(dictionary().get(word, word) for word in sentence.split()).split())


def in_english_order(sentence: str) -> str:
    """All forms right, and the adjectives where English has them."""
    subject, verb, negated, thing = parse(sentence)
    subject, thing = (
        part.french if not part.words or part.words[1] is None else _unmoved(part)
        for part in (subject, thing)
    )
    return joined(subject, verb.french[parse(sentence)[0].person], negated, thing)


def _unmoved(part: Part) -> str:
    words = part.french.split()
    return " ".join((*words[:-2], *(words[-2:] if part.words[1].before else words[:-3:-1])))
