"""Debug: an encoder whose vocabulary grows while it encodes."""

import numpy as np

from headway.tasks.chapters.one_hot.mistakes import (
    REPEATS_COUNTED,
    TEXT_READ_OTHERWISE,
    UNKNOWN_DROPPED,
    UNKNOWN_MISPLACED,
    UNKNOWN_RAISES,
    UNKNOWN_SHARES_AN_ID,
)
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import AnyOf, Misconception, changed
from headway.tasks.engine.task import Case, Task


def given_encoder(sentence, words):
    """The faulty function that the notebook hands out."""
    ids = {}
    for word in words:
        ids.setdefault(word, len(ids))
    encoded = []
    for word in sentence.lower().split():
        i = ids.setdefault(word, len(ids))
        encoded.append(i)
    return encoded


def repaired_encoder(sentence, words):
    """The same with line 7 mended: unknown words all get the id behind the last word."""
    ids = {}
    for word in words:
        ids.setdefault(word, len(ids))
    encoded = []
    for word in sentence.lower().split():
        i = ids.get(word, len(ids))
        encoded.append(i)
    return encoded


def encoder_cases(rng: np.random.Generator) -> list[Case]:
    known = ["show", "me", "my", "files", "please", "find", "old", "photos"]
    words = [str(word) for word in rng.permutation(known)[: rng.integers(5, 8)]]
    first, second, third = words[:3]
    mixed = [str(word) for word in rng.permutation([*words[1:], "qux", "blah", "qux"])]
    return [
        Case("two unknown words", " ".join(mixed), words, core=True),
        Case("the first word of the list", f"{first} {second} {first}", words),
        Case("no unknown word", " ".join(words), words),
        Case(
            "a word list with repeats",
            f"{third} foo {first} bar",
            [*words[:2], first, *words[2:], second],
        ),
        Case("capitals and wide spaces", f"  Qux {second.upper()}   foo {third}", words),
        Case("an empty sentence", "", words),
    ]


def choosing(*ids: str) -> AnyOf:
    """Repairs that choose another id for a word."""
    return changed(repaired_encoder, "ids.get(word, len(ids))", *ids)


encoder = Task(
    id="01-one-hot/encoder",
    title="Repair an encoder",
    kind="debug",
    points=2,
    minutes=6,
    answer="encode",
    cases=encoder_cases,
    reference=repaired_encoder,
    given=given_encoder,
    misconceptions=(
        Misconception(
            "zero-taken-for-unknown",
            choosing("ids.get(word) or len(ids)"),
            "Now the first word of the list counts as unknown. What is the truth value of its id?",
        ),
        UNKNOWN_SHARES_AN_ID.by(
            choosing(
                "ids.get(word, 0)",
                "words.index(word) if word in words else 0",
                "ids.get(word, len(ids) - 1)",
                "ids.get(word, len(words) - 1)",
            )
        ),
        UNKNOWN_MISPLACED.by(
            choosing("ids.get(word)", "ids.get(word, -1)", "ids.get(word, len(ids) + 1)")
        ),
        UNKNOWN_DROPPED.by(
            changed(*choosing("ids.get(word)"), ".append(i)", " += [i] if word in ids else []")
        ),
        UNKNOWN_RAISES.by(choosing("ids[word]")),
        REPEATS_COUNTED.by(
            choosing(
                "ids.get(word, len(words))",
                "words.index(word) if word in words else len(ids)",
                "words.index(word) if word in words else len(words)",
                "min(ids.setdefault(word, len(ids)), len(words))",
            )
        ),
        TEXT_READ_OTHERWISE.by(
            changed(repaired_encoder, "sentence.lower()", "sentence"),
            changed(repaired_encoder, "split()", 'split(" ")'),
        ),
    ),
    compare=equal(),
)
