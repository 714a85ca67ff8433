"""Debug: an encoder whose vocabulary grows while it encodes."""

import numpy as np

from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception
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
    return _encode(sentence, words, lambda ids, word: ids.get(word, len(ids)))


def _encode(sentence, words, choose):
    ids = {word: i for i, word in enumerate(dict.fromkeys(words))}
    return [choose(ids, word) for word in sentence.lower().split()]


def encoder_cases(rng: np.random.Generator) -> list[Case]:
    words = [str(word) for word in rng.permutation(["show", "me", "my", "files", "please"])]
    first, second, third = words[:3]
    return [
        Case("two unknown words", f"{second} qux {third} blah qux", words, core=True),
        Case("the first word of the list", f"{first} {second} {first}", words, core=True),
        Case("no unknown word", " ".join(words), words),
        Case("a word list with repeats", f"{third} foo {first}", [*words, first, second]),
        Case("an empty sentence", "", words),
    ]


encoder = Task(
    id="01-one-hot/encoder",
    title="Repair an encoder",
    kind="debug",
    points=2,
    minutes=8,
    answer="encode",
    cases=encoder_cases,
    reference=repaired_encoder,
    given=given_encoder,
    misconceptions=(
        Misconception(
            "zero-taken-for-unknown",
            lambda s, w: _encode(s, w, lambda ids, word: ids.get(word) or len(ids)),
            "Now the first word of the list counts as unknown. What is the truth value of its id?",
        ),
        Misconception(
            "unknown-to-zero",
            lambda s, w: _encode(s, w, lambda ids, word: ids.get(word, 0)),
            "Unknown words now share an id with a known word. Which one?",
        ),
        Misconception(
            "unknown-is-none",
            lambda s, w: _encode(s, w, lambda ids, word: ids.get(word)),
            "Unknown words have the id None now. Which row of a matrix is that?",
        ),
        Misconception(
            "unknown-dropped",
            lambda s, w: [
                i for i in _encode(s, w, lambda ids, word: ids.get(word)) if i is not None
            ],
            "The ids stay in range, but there are fewer of them than words.",
        ),
        Misconception(
            "unknown-raises",
            lambda s, w: _encode(s, w, lambda ids, word: ids[word]),
            "The vocabulary no longer grows; now an unknown word ends the program instead.",
        ),
        Misconception(
            "last-word-taken",
            lambda s, w: _encode(s, w, lambda ids, word: ids.get(word, len(ids) - 1)),
            "Unknown words share an id with the last word of the list. Which id is still free?",
        ),
        Misconception(
            "length-of-list",
            lambda s, w: _encode(s, w, lambda ids, word: ids.get(word, len(w))),
            "Right, until a word stands twice in the list. How many different words are there?",
        ),
    ),
    compare=equal(),
)
