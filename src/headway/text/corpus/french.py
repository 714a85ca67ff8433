"""The words of the English–French grammar, and the rules by which French forms agree.

Elided words stand by themselves, as translation corpora have them: "l' amie", "j' aime".
"""

from typing import NamedTuple

# Sounds that elide the word before them. Every h in this vocabulary is silent.
VOWELS = "aâeéèêiîoôuh"


class Noun(NamedTuple):
    """English singular and plural, French singular and plural, and gender: "m" or "f"."""

    english: str
    plural: str
    french: str
    pluriel: str
    gender: str


class Adjective(NamedTuple):
    """English, French masculine and feminine, whether French puts it before the noun.

    `liaison` is the masculine form before a vowel, where there is one: *un bel arbre*.
    """

    english: str
    masculine: str
    feminine: str
    before: bool = False
    liaison: str = ""


class Verb(NamedTuple):
    """English base and third person; French for je, tu, il, nous, ils."""

    english: str
    third: str
    french: tuple[str, ...]


def noun(english: str, french: str, gender: str, plural: str = "", pluriel: str = "") -> Noun:
    """A noun whose plurals end in s unless they are given."""
    return Noun(english, plural or english + "s", french, pluriel or french + "s", gender)


def regular(english: str, stem: str, third: str = "") -> Verb:
    """A French verb in -er with an unchanging stem."""
    forms = tuple(stem + ending for ending in ("e", "es", "e", "ons", "ent"))
    return Verb(english, third or english + "s", forms)


# Pronouns by person: the index of the verb's form.
PRONOUNS = (
    *(("I", "je", 0), ("you", "tu", 1), ("he", "il", 2)),
    *(("she", "elle", 2), ("we", "nous", 3), ("they", "ils", 4)),
)
THIRD, THIRD_PLURAL = 2, 4

# Who acts, and can be acted on.
PEOPLE = (
    noun("friend", "ami", "m"),
    noun("king", "roi", "m"),
    noun("queen", "reine", "f"),
    noun("teacher", "professeur", "m"),
    noun("child", "enfant", "m", plural="children"),
    noun("girl", "fille", "f"),
    noun("boy", "garçon", "m"),
    noun("actor", "acteur", "m"),
    noun("student", "étudiant", "m"),
    noun("neighbor", "voisin", "m"),
)
ANIMALS = (
    noun("cat", "chat", "m"),
    noun("dog", "chien", "m"),
    noun("bird", "oiseau", "m", pluriel="oiseaux"),
    noun("horse", "cheval", "m", pluriel="chevaux"),
    noun("cow", "vache", "f"),
    noun("animal", "animal", "m", pluriel="animaux"),
)
THINGS = (
    noun("house", "maison", "f"),
    noun("tree", "arbre", "m"),
    noun("school", "école", "f"),
    noun("book", "livre", "m"),
    noun("car", "voiture", "f"),
    noun("apple", "pomme", "f"),
    noun("star", "étoile", "f"),
    noun("garden", "jardin", "m"),
    noun("table", "table", "f"),
    noun("story", "histoire", "f", plural="stories"),
    noun("hotel", "hôtel", "m"),
    noun("window", "fenêtre", "f"),
    noun("door", "porte", "f"),
    noun("idea", "idée", "f"),
    noun("flower", "fleur", "f"),
    noun("city", "ville", "f", plural="cities"),
    noun("road", "route", "f"),
    noun("letter", "lettre", "f"),
)

ADJECTIVES_OF_ALL = (
    Adjective("interesting", "intéressant", "intéressante"),
    Adjective("strong", "fort", "forte"),
    Adjective("quiet", "tranquille", "tranquille"),
    Adjective("strange", "étrange", "étrange"),
    Adjective("famous", "célèbre", "célèbre"),
    Adjective("big", "grand", "grande", before=True),
    Adjective("small", "petit", "petite", before=True),
    Adjective("old", "vieux", "vieille", before=True, liaison="vieil"),
)
# Not said of people here.
ADJECTIVES_OF_THINGS = (
    Adjective("red", "rouge", "rouge"),
    Adjective("green", "vert", "verte"),
    Adjective("black", "noir", "noire"),
    Adjective("white", "blanc", "blanche"),
    Adjective("blue", "bleu", "bleue"),
    Adjective("heavy", "lourd", "lourde"),
    Adjective("pretty", "joli", "jolie", before=True),
    Adjective("bad", "mauvais", "mauvaise", before=True),
    Adjective("beautiful", "beau", "belle", before=True, liaison="bel"),
)

# Liking is for definite objects and for activities; other verbs take any object, but people are
# neither bought nor wanted.
LIKING = (regular("love", "aim"), regular("hate", "détest"), regular("adore", "ador"))
ENJOY = regular("enjoy", "aim")
GETTING = (
    Verb("want", "wants", ("veux", "veux", "veut", "voulons", "veulent")),
    Verb("buy", "buys", ("achète", "achètes", "achète", "achetons", "achètent")),
)
MEETING = (
    Verb("see", "sees", ("vois", "vois", "voit", "voyons", "voient")),
    Verb("follow", "follows", ("suis", "suis", "suit", "suivons", "suivent")),
    Verb("hear", "hears", ("entends", "entends", "entend", "entendons", "entendent")),
    Verb("know", "knows", ("connais", "connais", "connaît", "connaissons", "connaissent")),
    Verb("describe", "describes", ("décris", "décris", "décrit", "décrivons", "décrivent")),
    regular("find", "trouv"),
    regular("draw", "dessin"),
    regular("avoid", "évit"),
    regular("admire", "admir"),
    regular("look at", "regard", third="looks at"),
    regular("look for", "cherch", third="looks for"),
    regular("listen to", "écout", third="listens to"),
)

DOING = (("learning", "apprendre"), ("studying", "étudier"), ("teaching", "enseigner"))
SUBJECTS_OF_STUDY = (
    ("languages", "les langues"),
    ("history", "l' histoire"),
    ("music", "la musique"),
    ("art", "l' art"),
    ("physics", "la physique"),
    ("geography", "la géographie"),
)

# English singular and plural; French masculine, feminine, before a vowel, plural.
DETERMINERS = {
    "the": ("the", "the", ("le", "la", "l'", "les")),
    "a": ("a", "some", ("un", "une", None, "des")),
    "my": ("my", "my", ("mon", "ma", "mon", "mes")),
    "our": ("our", "our", ("notre", "notre", None, "nos")),
    "this": ("this", "these", ("ce", "cette", None, "ces")),
}


def elides(word: str) -> bool:
    """Whether a word begins with a vowel sound, which takes the e or a of the word before."""
    return word[0] in VOWELS


def agree(adjective: Adjective, noun: Noun, plural: bool) -> str:
    """The form of an adjective that goes with a noun: gender, number, liaison."""
    if noun.gender == "f":
        form = adjective.feminine
    elif adjective.liaison and not plural and elides(noun.french):
        form = adjective.liaison
    else:
        form = adjective.masculine
    if not plural or form.endswith(("s", "x")):
        return form
    return form + ("x" if form.endswith("eau") else "s")


def determiner(kind: str, noun: Noun, plural: bool, following: str) -> str:
    """The French determiner, given the noun it belongs to and the word that comes after it."""
    masculine, feminine, before_vowel, many = DETERMINERS[kind][2]
    if plural:
        return many
    if kind == "this" and noun.gender == "m" and elides(following):
        return "cet"
    if before_vowel and elides(following):
        return before_vowel
    return masculine if noun.gender == "m" else feminine
