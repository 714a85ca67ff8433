"""Train: the next word, chosen by the votes of all pairs."""

from collections import Counter, defaultdict
from itertools import pairwise

import numpy as np

from headway.tasks.chapters.skip_bigrams.agreement import (
    parts,
    rows_of,
    verb_typed_in,
    votes_of,
)
from headway.tasks.chapters.skip_bigrams.mistakes import (
    COUNTS_FOR_VOTES,
    NEIGHBORS_ONLY,
    TYPED_IN,
)
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.mistakes import Misconception, changed
from headway.tasks.engine.task import Case, Task
from headway.text.corpus.commands import RUN_DOWN, check_logs

WRONG_AT_MOST = 0.1  # of the words chosen
TIES = 2  # words in a hundred that another order of counting may choose


def choose_words(sentences, prefixes):
    """For each prefix the word with the most votes of all pairs that are present."""
    rows = rows_of(sentences, prefixes[0][-1])  # the prefixes end with one word
    chosen = []
    for prefix in prefixes:
        votes = votes_of(rows, set(prefix[:-1]))
        chosen.append(max(sorted(votes), key=votes.get, default=""))
    return chosen


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


EARLIER = "set(prefix[:-1])"


def successors(sentences, latest):
    """What came right behind each word, whatever the latest one is."""
    rows = defaultdict(Counter)
    for sentence in sentences:
        for word, following in pairwise(sentence):
            rows[word][following] += 1
    return rows


def most_frequent(sentences, prefixes):
    counts = Counter(word for sentence in sentences for word in sentence)
    return [max(sorted(counts), key=counts.get)] * len(prefixes)


def nouns_typed_in(sentences, prefixes):
    return ["please" if set(RUN_DOWN).isdisjoint(prefix) else "down" for prefix in prefixes]


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
        NEIGHBORS_ONLY.by(changed(choose_words, EARLIER, "prefix[-2:-1]", "set(prefix[-3:-1])")),
        COUNTS_FOR_VOTES.by(changed(choose_words, EARLIER, f"{EARLIER}, lambda count, row: count")),
        Misconception(
            "own-successors",
            changed(
                *changed(choose_words, EARLIER, "set(prefix)"),
                "rows_of(",
                "successors(",
            ),
            "Each word votes for what comes right behind itself. Behind which word of the prefix "
            "will the next one stand?",
        ),
        Misconception(
            "most-frequent-word",
            most_frequent,
            "You say the most frequent word of all, and the prefix does not count. Which pairs "
            "does it hold?",
        ),
        Misconception(
            "fewest-votes",
            changed(choose_words, "max(", "min("),
            "You choose the word with the fewest votes. Who wins a vote?",
        ),
        TYPED_IN.by(verb_typed_in(choose_words), nouns_typed_in),
    ),
    compare=_few_wrong,
    alike=_but_for_ties,
)
