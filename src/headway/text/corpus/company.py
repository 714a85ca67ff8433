"""A small world in which words keep known company: kings and queens, animals, fruit, a bank.

    the queen lost her crown
    the slow donkey hopped over the gate
    reeds grew on the bank of the river

Words of one kind stand in the same places, so their company is alike, and so is what a model can
learn of them. Some are frequent and some are rare. Relations between words are built in: couples
that differ in a pronoun (*king*, *queen*), synonyms (*leaped*, *hopped*), opposites (*fast*,
*slow*), homophones (*sweet*, *suite*), and words with two meanings (*bank*, *flies*, *tear*).
"""

from collections.abc import Sequence

from headway.text.corpus.grammar import Grammar, Rule

# (he, she): what is theirs, and nobody else's.
COUPLES = {
    ("king", "queen"): ("crown", "throne"),
    ("prince", "princess"): ("tutor", "pony"),
    ("duke", "duchess"): ("castle", "carriage"),
    ("man", "woman"): ("shop", "wages"),
    ("boy", "girl"): ("toy", "school"),
    ("father", "mother"): ("children", "kitchen"),
    ("uncle", "aunt"): ("nephew", "garden"),
    ("brother", "sister"): ("twin", "bicycle"),
}
# Of each kind, from the most frequent word to the rarest.
KINDS = {
    "animal": ("dog", "cat", "horse", "cow", "hen", "rabbit", "goat", "donkey", "weasel"),
    "fruit": ("apple", "banana", "pear", "plum", "cherry", "lemon", "peach", "fig", "quince"),
    "vehicle": ("cart", "boat", "train", "wagon", "ferry", "truck", "barge", "sled", "canoe"),
    "garment": ("coat", "hat", "shirt", "scarf", "glove", "apron", "vest", "shawl", "bonnet"),
}
SYNONYMS = ("leaped", "sprang", "bounded", "hopped", "bounced")
PRONOUNS = (("he", "his", "himself"), ("she", "her", "herself"))


def frequencies(words: Sequence[str]) -> dict[str, float]:
    """Weights that fall with the rank as in Zipf's law, 1, 1/2, 1/3, …"""
    return {word: 1 / rank for rank, word in enumerate(words, start=1)}


def people() -> dict[str, float]:
    """What is said of persons; each couple as often as the others."""
    said = {}
    for couple, (one, other) in COUPLES.items():
        for person, (they, their, themselves) in zip(couple, PRONOUNS, strict=True):
            said[f"the {person} TOOK {their} {one}"] = 1.0
            said[f"the {person} TOOK {their} {other}"] = 1.0
            said[f"they say that {they} was a {person}"] = 1.0
            said[f"the {person} hurt {themselves} near the {one}"] = 0.5
            said[f"the {person} hurt {themselves} near the {other}"] = 0.5
    return said


RULES: dict[str, Rule] = {
    "START": {"PEOPLE": 8, "ANIMALS": 4, "FRUITS": 3, "VEHICLES": 3, "GARMENTS": 3, "OTHERS": 5},
    "PEOPLE": people(),
    "TOOK": ("lost", "found", "showed", "wanted"),
    "ANIMALS": (
        "the SPEED ANIMAL LEAPED over the FENCE",
        "a ANIMAL slept in the BARN",
        "we feed the ANIMAL at DAWN",
    ),
    "SPEED": ("fast", "slow"),
    "LEAPED": SYNONYMS,
    "FENCE": ("gate", "wall", "ditch"),
    "BARN": ("barn", "straw", "stable"),
    "DAWN": ("dawn", "noon", "dusk"),
    "FRUITS": (
        "you peeled a TASTE FRUIT for the cake",
        "the FRUIT tasted TASTE",
        "some FRUIT lay in the BOWL",
    ),
    "TASTE": ("sweet", "sour", "ripe"),
    "BOWL": ("bowl", "basket", "pantry"),
    "VEHICLES": (
        "the SPEED VEHICLE carried the LOAD to market",
        "a VEHICLE stopped on the way to town",
        "the VEHICLE with the LOAD was late",
    ),
    "LOAD": ("corn", "coal", "timber"),
    "GARMENTS": (
        "somebody sewed a COLOR GARMENT of wool",
        "the GARMENT was washed and ironed",
        "who wore that COLOR GARMENT yesterday",
    ),
    "COLOR": ("red", "blue", "gray"),
    "OTHERS": {
        "reeds grew on the SHORE of the river": 2,
        "we fished from the SHORE near the willow": 2,
        "the LENDER gave us a loan": 2,
        "money in the LENDER earns interest": 2,
        "the swallow FLIES over the roof": 1,
        "time FLIES like an arrow": 1,
        "the INSECTS buzzed around the jam": 1,
        "fruit INSECTS like a banana": 1,
        "a tear ran down a cheek": 1,
        "this page has a tear at the edge": 1,
        "guests slept in the SUITE of the hotel": 1,
        "the radio plays a SERIAL every evening": 1,
        "we eat CEREAL with milk for breakfast": 1,
        "people admire a young voice": 1,
        "people mock a childlike voice": 1,
    },
    "SHORE": ("bank", "shore"),
    "LENDER": ("bank", "lender"),
    "FLIES": ("flies", "soars"),
    "INSECTS": ("flies", "wasps"),
    "SUITE": ("suite", "room"),
    "SERIAL": ("serial", "concert"),
    "CEREAL": ("cereal", "porridge"),
    **{kind.upper(): frequencies(words) for kind, words in KINDS.items()},
    # The name of the kind stands where its words do.
    "FRUIT": {**frequencies(KINDS["fruit"]), "fruit": 0.5},
}

COMPANY = Grammar(RULES)
