"""Build: the votes of all pairs, counted in a corpus."""

from itertools import chain

import numpy as np

from headway.ngram.transition import normalize
from headway.tasks.chapters.skip_bigrams.mistakes import (
    ACROSS_SENTENCES,
    ANOTHER_TOTAL,
    COUNTS_FOR_VOTES,
    EARLIER_OCCURRENCE_DROPPED,
    EXCHANGED,
    FUTURE_VISIBLE,
    NAN,
    NEIGHBORS_ONLY,
    REPEATS_COUNTED,
    SELF_PAIR,
    UNORDERED,
    WINNER_TAKES_ALL,
    WORD_CUT_OFF,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.draw import draw_telling
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def vote_table(sentences, size):
    """P(next | earlier, latest), float64 (V, V, V+1); zero where a pair was never seen.

    The end of a sentence is the last of the next words.
    """
    counts = np.zeros((size, size, size + 1))
    for sentence in sentences:
        for t, latest in enumerate(sentence):
            following = [*sentence, size][t + 1]
            for earlier in set(sentence[:t]):
                counts[earlier, latest, following] += 1
    totals = counts.sum(axis=-1, keepdims=True)
    return np.divide(counts, totals, out=np.zeros_like(counts), where=totals > 0)


def table_cases(rng: np.random.Generator) -> list[Case]:
    def at_random():
        drawn = [rng.integers(0, 5, length).tolist() for length in (6, 5, 4, 6)]
        return Case("four sentences drawn at random", drawn, 5)

    order = rng.permutation(9).tolist()
    one, two, three, four, *_ = order
    fork = [[one, two, three, four], [three, two, one, four], [one, two, four]]
    return [
        Case("three sentences that share words", fork, 9, core=True),
        draw_telling(table, at_random, "once-a-sentence", ANOTHER_TOTAL.name),
        Case("a word that comes twice before the latest", [[0, 0, 1, 2], [0, 1, 3]], 4),
        Case("a latest word that stood there before", [[2, 1, 2, 0], [2, 2]], 3),
        Case("a pair that is present at several places", [[0, 1, 2, 1, 2, 1], [2, 1]], 3),
        Case("sentences of one word", [[1], [0], [2, 0]], 3),
        Case("an empty sentence among others", [[0, 1], [], [1, 0]], 2),
        Case("no sentence", [], 3),
    ]


EARLIER = "set(sentence[:t])"
COUNT = "counts[earlier, latest, following] += 1"
TOTALS = "totals = counts"
PLACES = "np.array([[sum({}.count(w) for s in sentences)] for w in range(size)])"  # of each word
RETURN = "return np.divide(counts, totals, out=np.zeros_like(counts), where=totals > 0)"
TOTALS_BY_SIZE = "totals = counts[..., :size]"
(end_not_in_totals,) = changed(vote_table, TOTALS, TOTALS_BY_SIZE)
(counted,) = changed(vote_table, RETURN, "return counts")


def once_a_sentence(sentences, size):
    present = [counted([sentence], size) > 0 for sentence in sentences]
    return normalize(sum(present, np.zeros((size, size, size + 1))))


def first_place_only(sentences, size):
    """Counts a pair where it is present in a sentence for the first time."""
    counts = np.zeros((size, size, size + 1))
    for sentence in sentences:
        seen = np.zeros((size, size))
        for t, latest in enumerate(sentence):
            following = [*sentence, size][t + 1]
            for earlier in set(sentence[:t]):
                counts[earlier, latest, following] += seen[earlier, latest] == 0
                seen[earlier, latest] = 1
    return normalize(counts)


table = Task(
    id="03-skip-bigrams/table",
    title="The vote table of a corpus",
    kind="build",
    points=3,
    minutes=18,
    answer="vote_table",
    cases=table_cases,
    reference=vote_table,
    misconceptions=(
        FUTURE_VISIBLE.by(
            changed(
                vote_table,
                EARLIER,
                "{*sentence[:t], *sentence[t + 1 :]}",
                "set(sentence[t + 1 :])",
            )
        ),
        NEIGHBORS_ONLY.by(changed(vote_table, EARLIER, "sentence[max(t - 1, 0) : t]")),
        SELF_PAIR.by(changed(vote_table, EARLIER, "set(sentence[: t + 1])")),
        EARLIER_OCCURRENCE_DROPPED.by(changed(vote_table, EARLIER, "set(sentence[:t]) - {latest}")),
        WORD_CUT_OFF.by(
            changed(vote_table, EARLIER, "set(sentence[: max(t - 1, 0)])", "set(sentence[1:t])")
        ),
        Misconception(
            "next-word-misplaced",
            changed(vote_table, "[t + 1]", "[t]", "[min(t + 1, len(sentence) - 1)]"),
            "What you count as the next word is the latest one itself, everywhere or at the end "
            "of a sentence. What comes after the last word?",
        ),
        REPEATS_COUNTED.by(changed(vote_table, EARLIER, "sentence[:t]")),
        Misconception(
            "once-a-sentence",
            any_of(once_a_sentence, first_place_only),
            "A pair that is present at several places of a sentence doesn't count at each of "
            "them. In how many prefixes of the sentence is it present?",
        ),
        UNORDERED.by(
            changed(
                vote_table, TOTALS, "counts = counts + counts.transpose(1, 0, 2)\n    " + TOTALS
            )
        ),
        EXCHANGED.by(changed(vote_table, "[earlier, latest, f", "[latest, earlier, f")),
        COUNTS_FOR_VOTES.by(counted),
        ANOTHER_TOTAL.by(
            changed(vote_table, "axis=-1", "axis=0", "axis=(0, 2)", "axis=(1, 2)", "axis=None"),
            changed(
                vote_table,
                f"{TOTALS}.sum(axis=-1, keepdims=True)",
                "totals = len(sentences)",
                f"totals = {PLACES.format('s')}",
                f"totals = {PLACES.format('s[1:]')}",
            ),
            changed(
                vote_table,
                TOTALS,
                "totals = (counts > 0)",
                f"counts = 1.0 * (counts > 0)\n    {TOTALS}",
            ),
        ),
        NAN.by(changed(vote_table, RETURN, "return counts / totals")),
        Misconception(
            "end-missing",
            any_of(
                changed(vote_table, TOTALS, "counts[..., size] = 0\n    " + TOTALS),
                end_not_in_totals,
                changed(
                    *changed(end_not_in_totals, EARLIER, "sentence[:t]"),
                    TOTALS_BY_SIZE,
                    "counts[..., size] = 0\n    " + TOTALS_BY_SIZE,
                ),
                changed(
                    end_not_in_totals,
                    RETURN,
                    "return counts / np.maximum(totals, 1)",
                    "return counts / totals",
                ),
            ),
            "You leave out the end of a sentence, as a next word or in the total. What follows "
            "the last word?",
        ),
        ACROSS_SENTENCES.by(
            lambda sentences, size: vote_table([list(chain.from_iterable(sentences))], size)
        ),
        WINNER_TAKES_ALL.by(
            changed(vote_table, COUNT, "counts[earlier, latest] = np.eye(size + 1)[following]")
        ),
    ),
    compare=close(),
)
