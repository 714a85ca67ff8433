"""Corpora in which a noun far back decides what follows a verb, and the counting of their pairs.

Sentences are those of the chapter with more nouns, other verbs and a changing middle. In one case
of each task all words are made up, so that a list of nouns typed in by hand is of no use.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping

import numpy as np

SYLLABLES = ("ka", "lo", "mi", "né", "ru", "sø", "ta", "ži")

Sentences = list[list[str]]
Rows = Mapping[str, Counter]


def made_up_words(rng: np.random.Generator, count: int) -> list[str]:
    """Different words of three syllables."""
    drawn = rng.permutation(len(SYLLABLES) ** 3)[:count]
    places = zip(*np.unravel_index(drawn, (len(SYLLABLES),) * 3), strict=True)
    return ["".join(SYLLABLES[i] for i in three) for three in places]


def parts(
    rng: np.random.Generator, texts: list[str], held_out: list[str], made_up: bool = False
) -> tuple[Sentences, Sentences, list[str], list[str]]:
    """Sentences, held-out prefixes up to the verb, the word after each, and the two choices."""
    words = sorted({word for text in texts + held_out for word in text.split()})
    spelt = made_up_words(rng, len(words))
    new = dict(zip(words, spelt if made_up else words, strict=True))
    train, test = ([[new[w] for w in text.split()] for text in part] for part in (texts, held_out))
    ends = [sentence.index(new["ran"]) + 1 for sentence in test]
    prefixes = [sentence[:end] for sentence, end in zip(test, ends, strict=True)]
    truth = [sentence[end] for sentence, end in zip(test, ends, strict=True)]
    return train, prefixes, truth, [new["down"], new["please"]]


def rows_of(sentences: Sentences, latest: str) -> Rows:
    """How often each next word followed (earlier word, latest word), by the earlier word."""
    rows = defaultdict(Counter)
    for sentence in sentences:
        for t in range(1, len(sentence) - 1):
            if sentence[t] == latest:
                for earlier in set(sentence[:t]):
                    rows[earlier][sentence[t + 1]] += 1
    return rows


def share_of(count: int, row: Counter) -> float:
    return count / row.total()


def votes_of(
    rows: Rows, voters: Iterable[str], weigh: Callable[[int, Counter], float] = share_of
) -> Counter:
    votes = Counter()
    for voter in sorted(voters):
        for word, count in rows.get(voter, {}).items():
            votes[word] += weigh(count, rows[voter])
    return votes


def verb_typed_in(answer):
    """An answer that looks for one verb of the corpus in the notebook."""

    def typed_in(sentences, prefixes, *more):
        ends = [prefix.index("ran") for prefix in prefixes]
        return answer(sentences, [p[: t + 1] for p, t in zip(prefixes, ends, strict=True)], *more)

    return typed_in
