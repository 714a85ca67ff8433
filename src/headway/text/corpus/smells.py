"""What smells, and of what: sentences with two nouns, of which the verb has only one as subject.

    the flower that grew up in a pot smells great
    the pot beside a flower smells musty

Every noun may be the subject or stand in the way, so neither the nouns of a sentence nor the one
next to *smells* decide what follows: only the noun behind the first *the* does.
"""

from headway.text.corpus.grammar import Grammar

# smell → the nouns that have it.
PLANTS = {
    "great": ("flower", "rose"),
    "fresh": ("mint", "lemon"),
    "awful": ("weed", "parsnip"),
    "sweet": ("lily", "banana"),
}
PLACES = {
    "musty": ("pot", "cellar"),
    "earthy": ("garden", "shed"),
    "smoky": ("kitchen", "barn"),
    "clean": ("vase", "basket"),
}
SMELL_OF = {noun: smell for smell, nouns in (PLANTS | PLACES).items() for noun in nouns}

SMELLS = Grammar(
    {
        "START": tuple(
            f"LEAD the {smell.upper()} {kind} smells {smell}"
            for kind, smells in (("PLANT", PLANTS), ("PLACE", PLACES))
            for smell in smells
        ),
        "LEAD": ("", "", "today", "we think that"),
        "PLANT": ("that grew up in a SPOT", "that stood NEAR a NOUN", "NEAR a NOUN"),
        "PLACE": ("that was full of NOUN", "that stood NEAR a NOUN", "NEAR a NOUN"),
        "NEAR": ("beside", "next to", "right under"),
        "SPOT": tuple(noun for nouns in PLACES.values() for noun in nouns),
        "NOUN": tuple(SMELL_OF),
        **{smell.upper(): nouns for smell, nouns in (PLANTS | PLACES).items()},
    }
)
