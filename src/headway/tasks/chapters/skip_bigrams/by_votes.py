"""Train: the next word, chosen by the votes of all pairs."""

from collections import Counter, defaultdict
from itertools import pairwise

import numpy as np

from headway.tasks.chapters.skip_bigrams.agreement import (
    Sentences,
    parts,
    rows_of,
    share_of,
    verb_typed_in,
    votes_of,
)
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task
from headway.text.corpus.commands import RUN_DOWN, check_logs

WRONG_AT_MOST = 0.1  # of the words chosen
TIES = 2  # words in a hundred that another order of counting may choose


def choose_words(sentences: Sentences, prefixes: Sentences) -> list[str]:
    """For each prefix the word with the most votes of all pairs that are present."""
    return _choose(sentences, prefixes, lambda prefix: set(prefix[:-1]))


def _best(votes: Counter) -> str:
    return max(sorted(votes), key=votes.get, default="")


def _choose(sentences, prefixes, voters, weigh=share_of, best=_best):
    rows = {latest: rows_of(sentences, latest) for latest in {prefix[-1] for prefix in prefixes}}
    return [best(votes_of(rows[prefix[-1]], voters(prefix), weigh)) for prefix in prefixes]


def _own_successors(sentences, prefixes):
    rows = defaultdict(Counter)
    for sentence in sentences:
        for word, following in pairwise(sentence):
            rows[word][following] += 1
    return [_best(votes_of(rows, set(prefix))) for prefix in prefixes]


def _most_frequent(sentences, prefixes):
    counts = Counter(word for sentence in sentences for word in sentence)
    return [_best(counts)] * len(prefixes)


def _nouns_typed_in(sentences, prefixes):
    return ["please" if set(RUN_DOWN).isdisjoint(prefix) else "down" for prefix in prefixes]


def vote_cases(rng: np.random.Generator) -> list[Case]:
    cases = []
    for label, made_up in (("new sentences", False), ("made-up words", True)):
        texts, held_out = check_logs(rng, 600, run_down=0.49), check_logs(rng, 100)
        sentences, prefixes, truth, _ = parts(rng, texts, held_out, made_up)
        cases.append(Case(label, sentences, prefixes, truth=truth, core=not made_up))
    return cases


def _few_wrong(got, expected, case) -> Difference | None:
    """At most a tenth of the words are not those of the held-out sentences."""
    if not isinstance(got, list) or not all(isinstance(word, str) for word in got):
        return Difference("this is not a list of words.")
    if len(got) != len(case.truth):
        return Difference(f"{len(got)} words for {len(case.truth)} prefixes.")
    wrong = sum(mine != right for mine, right in zip(got, case.truth, strict=True))
    if wrong <= WRONG_AT_MOST * len(got):
        return None
    allowed = f"{WRONG_AT_MOST * len(got):.0f}"
    return Difference(f"{wrong} of {len(got)} words are wrong; at most {allowed} may be.")


def _but_for_ties(got, wrong, case) -> Difference | None:
    """The same words, but for two: counts are whole numbers, and who wins a tie is open."""
    if not isinstance(got, list) or len(got) != len(wrong):
        return Difference("this is not a list of as many words.")
    others = sum(mine != other for mine, other in zip(got, wrong, strict=True))
    return Difference(f"{others} words differ.") if others > TIES else None


by_votes = Task(
    id="03-skip-bigrams/by-votes",
    title="A word chosen by votes",
    kind="train",
    points=2,
    minutes=15,
    answer="choose_words",
    cases=vote_cases,
    reference=choose_words,
    misconceptions=(
        Misconception(
            "adjacency-only",
            lambda s, p: _choose(s, p, lambda prefix: prefix[-2:-1]),
            "You say the same word after every prefix. Which pairs differ from prefix to prefix, "
            "and have they voted?",
        ),
        Misconception(
            "counts-for-votes",
            lambda s, p: _choose(
                s, p, lambda prefix: set(prefix[:-1]), weigh=lambda count, row: count
            ),
            "You add up counts, so that a word of every sentence has a louder voice than the noun. "
            "What does each row of the vote table sum to?",
        ),
        Misconception(
            "own-successors",
            _own_successors,
            "Each word votes for what comes right behind itself. Behind which word of the prefix "
            "will the next one stand?",
        ),
        Misconception(
            "most-frequent-word",
            _most_frequent,
            "You say the most frequent word of all, and the prefix does not count. Which pairs "
            "does it hold?",
        ),
        Misconception(
            "fewest-votes",
            lambda s, p: _choose(
                s,
                p,
                lambda prefix: set(prefix[:-1]),
                best=lambda votes: min(sorted(votes), key=votes.get, default=""),
            ),
            "You choose the word with the fewest votes. Who wins a vote?",
        ),
        Misconception(
            "verb-typed-in",
            verb_typed_in(choose_words),
            "With made-up words your function looks for a word that is not there: one that you "
            "typed in. What do all prefixes have in common?",
        ),
        Misconception(
            "nouns-typed-in",
            _nouns_typed_in,
            "You know the nouns of one corpus by heart, and nothing was counted. What does your "
            "function say about words that it has never met?",
        ),
    ),
    compare=_few_wrong,
    alike=_but_for_ties,
)
