"""The grammar of the sentences, read backwards: it translates without having learned anything.

It stands in for a perfect network, where one is needed at once.
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
