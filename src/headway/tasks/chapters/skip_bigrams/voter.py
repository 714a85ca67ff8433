"""Debug: a voter in which the current word counts as its own context."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable

import numpy as np

from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task
from headway.text.corpus.commands import CHECK_LOG

Pair = tuple[str, str]


def _paired(earlier: Callable[[list[str]], Iterable[str]]) -> Callable[[list[str]], list[Pair]]:
    return lambda prefix: [(word, prefix[-1]) for word in earlier(prefix)]


def _vote(
    sentences: list[list[str]],
    prefix: list[str],
    pairs: Callable[[list[str]], list[Pair]],
    first: int = 1,
    pairs_of_prefix: Callable[[list[str]], list[Pair]] | None = None,
) -> dict[str, float]:
    """The notebook's function, with its parts to exchange."""
    counts = defaultdict(Counter)
    for sentence in sentences:
        for t in range(first, len(sentence)):
            for pair in pairs(sentence[:t]):
                counts[pair][sentence[t]] += 1
    votes = Counter()
    for pair in (pairs_of_prefix or pairs)(prefix):
        for word, count in counts[pair].items():
            votes[word] += count / counts[pair].total()
    return dict(votes)


_given_pairs = _paired(set)
_right_pairs = _paired(lambda prefix: set(prefix[:-1]))


def given_voter(sentences, prefix):
    """The faulty function that the notebook hands out."""
    return _vote(sentences, prefix, _given_pairs)


def repaired_voter(sentences, prefix):
    """The same with line 3 mended: the latest word stands behind the earlier ones."""
    return _vote(sentences, prefix, _right_pairs)


def voter_cases(rng: np.random.Generator) -> list[Case]:
    toy = [text.split() for text in CHECK_LOG.probabilities()]
    first, second = (toy[i] for i in rng.permutation(2))
    a, b, c, d = (str(word) for word in rng.permutation(["été", "log", "ran", "Zoë"]))
    e, f, g, h, i, j = (
        str(word) for word in rng.permutation(["on", "off", "up", "in", "so", "at"])
    )
    fork = [[e, g, h, i], [f, g, h, j]]
    return [
        Case("the two sentences, up to ran", [first, second], toy[0][:10], core=True),
        Case("the first word decides", fork, [e, g, h], core=True),
        Case("a word that comes twice", [[a, a, b, c], [a, b, d]], [a, a, b]),
        Case("a latest word that stood there before", [[a, b, a, c], [d, a, b]], [d, a, b, a]),
        Case("a latest word that comes twice in the corpus", [[a, b, a, c], [b, a, d]], [b, a]),
        Case("a pair that was never seen", [[a, b, c], [b, a, d]], [c, a, b]),
        Case("a single word", [[a, b], [a, c, d]], [a]),
    ]


voter = Task(
    id="03-skip-bigrams/voter",
    title="Repair a voter",
    kind="debug",
    points=2,
    minutes=8,
    answer="vote",
    cases=voter_cases,
    reference=repaired_voter,
    given=given_voter,
    misconceptions=(
        Misconception(
            "twin-dropped",
            lambda s, p: _vote(s, p, _paired(lambda prefix: set(prefix[:-1]) - {prefix[-1]})),
            "The latest word no longer votes for itself, but where it stood there before as well, "
            "that vote is gone too. What sets the two apart: the word or the place?",
        ),
        Misconception(
            "set-lost",
            lambda s, p: _vote(s, p, _paired(lambda prefix: prefix[:-1])),
            "The totals fit until a word comes twice: then it votes twice. What made each word "
            "vote once in the code you were given?",
        ),
        Misconception(
            "adjacency-only",
            lambda s, p: _vote(s, p, _paired(lambda prefix: prefix[-2:-1])),
            "Now only the neighbor of the latest word votes. Where are the others?",
        ),
        Misconception(
            "neighbor-lost",
            lambda s, p: _vote(s, p, _paired(lambda prefix: set(prefix[:-2]))),
            "The neighbor of the latest word has lost its vote as well. How many words are there "
            "too many?",
        ),
        Misconception(
            "first-word-lost",
            lambda s, p: _vote(s, p, _paired(lambda prefix: set(prefix[1:]))),
            "The first word of the sentence has lost its vote, and the latest still has one. From "
            "which end have you cut?",
        ),
        Misconception(
            "counted-from-two",
            lambda s, p: _vote(s, p, _given_pairs, first=2),
            "Prefixes of one word are no longer counted. In all the longer ones the latest word "
            "still votes: what does a prefix of three words give?",
        ),
        Misconception(
            "mended-in-the-count-only",
            lambda s, p: _vote(s, p, _right_pairs, pairs_of_prefix=_given_pairs),
            "Counting is mended. When it comes to the vote, a latest word that sometimes stood "
            "there before still has a say it should not have. Do both places make the same pairs?",
        ),
        Misconception(
            "mended-in-the-vote-only",
            lambda s, p: _vote(s, p, _given_pairs, pairs_of_prefix=_right_pairs),
            "The right pairs vote. But the row of a word with itself was counted in places where "
            "it stood only once. Do both places make the same pairs?",
        ),
    ),
    compare=close(),
)
