"""English and French: the grammar of the pairs, and what is held out of them."""

from collections import defaultdict
from itertools import pairwise

import pytest

from headway.text.corpus import french
from headway.text.corpus.split import generator
from headway.text.corpus.translation import (
    english_noun_phrase,
    french_noun_phrase,
    hold_out_combinations,
    translations,
)

NOUNS = {noun.english: noun for noun in french.PEOPLE + french.ANIMALS + french.THINGS}
ADJECTIVES = {a.english: a for a in french.ADJECTIVES_OF_ALL + french.ADJECTIVES_OF_THINGS}


@pytest.fixture(scope="module")
def corpus():
    return translations(generator(0), 20_000)


def test_translations_are_distinct_and_a_source_has_one_target(corpus):
    assert len(set(corpus)) == len({pair.source for pair in corpus}) == len(corpus) == 20_000
    targets = defaultdict(set)
    for pair in corpus:
        targets[pair.target].add(pair.source.replace("enjoys", "loves").replace("enjoy", "love"))
    assert all(len(sources) == 1 for sources in targets.values())


def test_the_translations_of_the_book_are_among_them():
    made = {pair.source: pair.target for pair in translations(generator(3), 60_000)}
    assert made["I love learning languages"] == "j' aime apprendre les langues"
    assert made["she enjoys studying history"] == "elle aime étudier l' histoire"


# Worked out by hand, one for each rule.
@pytest.mark.parametrize(
    ("english", "kind", "noun", "adjective", "expected"),
    [
        ("the small cats", "the", "cat", "small", "les petits chats"),
        ("the friend", "the", "friend", None, "l' ami"),
        ("the old friend", "the", "friend", "old", "le vieil ami"),
        ("the old friends", "the", "friend", "old", "les vieux amis"),
        ("the beautiful tree", "the", "tree", "beautiful", "le bel arbre"),
        ("the beautiful trees", "the", "tree", "beautiful", "les beaux arbres"),
        ("the beautiful school", "the", "school", "beautiful", "la belle école"),
        ("a red house", "a", "house", "red", "une maison rouge"),
        ("some red houses", "a", "house", "red", "des maisons rouges"),
        ("some small houses", "a", "house", "small", "de petites maisons"),
        ("an old tree", "a", "tree", "old", "un vieil arbre"),
        ("my idea", "my", "idea", None, "mon idée"),
        ("my old idea", "my", "idea", "old", "ma vieille idée"),
        ("my interesting story", "my", "story", "interesting", "mon histoire intéressante"),
        ("our white horses", "our", "horse", "white", "nos chevaux blancs"),
        ("this hotel", "this", "hotel", None, "cet hôtel"),
        ("this big hotel", "this", "hotel", "big", "ce grand hôtel"),
        ("this strange star", "this", "star", "strange", "cette étoile étrange"),
        ("these bad gardens", "this", "garden", "bad", "ces mauvais jardins"),
        # After a negation the indefinite article is de.
        ("not a cat", "a", "cat", None, "de chat"),
        ("not any old trees", "a", "tree", "old", "de vieux arbres"),
        ("not any birds", "a", "bird", None, "d' oiseaux"),
    ],
)
def test_articles_and_adjectives_agree(english, kind, noun, adjective, expected):
    phrase = english.removeprefix("not ")
    noun, adjective = NOUNS[noun], ADJECTIVES.get(adjective)
    asked = (noun, adjective, kind, english.endswith(noun.plural), phrase != english)
    assert english_noun_phrase(*asked) == phrase
    assert french_noun_phrase(*asked) == expected


def test_negation_goes_round_the_verb_and_turns_the_indefinite_article_into_de(corpus):
    changed = 0
    for pair in corpus:
        words, source = pair.target.split(), pair.source.split()
        if "not" not in source:
            assert "pas" not in words
            assert "any" not in source
            continue
        verb = words.index("pas") - 1
        assert words[verb - 1] == ("n'" if words[verb][0] in french.VOWELS else "ne")
        assert {"un", "une", "des"}.isdisjoint(words[verb:])
        changed += words[verb + 2] in ("de", "d'")
    assert changed > 100


def test_every_elision_is_made_and_none_too_many(corpus):
    for pair in corpus:
        for word, following in pairwise(pair.target.split()):
            vowel = following[0] in french.VOWELS
            if word.endswith("'") or word == "cet":
                assert vowel, pair
            elif word in ("je", "ne", "le", "la", "de", "ma", "ce"):
                assert not vowel, pair
        for word, following in pairwise(pair.source.split()):
            assert word != "an" or following[0] in "aeiou", pair


def test_people_are_neither_bought_nor_colored(corpus):
    people = {noun.english for noun in french.PEOPLE}
    plurals = people | {noun.plural for noun in french.PEOPLE}
    things = {adjective.english for adjective in french.ADJECTIVES_OF_THINGS}
    for pair in corpus:
        assert not any(a in things and n in people for a, n in pair.combinations)
        if {"buy", "buys", "want", "wants"} & set(pair.source.split()):
            assert pair.source.split()[-1] not in plurals


def test_held_out_combinations_are_new_but_their_words_are_not(corpus):
    kept, held = hold_out_combinations(generator(1), corpus)
    assert len(kept) + len(held) == len(corpus)
    seen = {c for pair in kept for c in pair.combinations}
    assert all(any(c not in seen for c in pair.combinations) for pair in held)
    for side in (0, 1):
        everything = {c[side] for pair in corpus for c in pair.combinations}
        assert {c[side] for c in seen} == everything
    words = {w for pair in kept for w in pair.target.split()}
    assert {w for pair in held for w in pair.target.split()} <= words
