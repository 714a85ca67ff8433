"""Stretch: the masked votes of all prefixes of a sentence at once."""

import numpy as np

from headway.ngram.transition import normalize
from headway.tasks.chapters.skip_bigrams.mistakes import (
    EXCHANGED,
    FUTURE_VISIBLE,
    MASK_IGNORED,
    NEIGHBORS_ONLY,
    READ_AS_PROBABILITIES,
    REPEATS_COUNTED,
    SELF_PAIR,
    WORD_CUT_OFF,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.draw import draw_telling
from headway.tasks.engine.mistakes import Misconception, changed
from headway.tasks.engine.task import Case, Task
from headway.text.vocabulary import one_hot


def every_prefix_votes(ids, votes, masks):
    """Row t holds the masked votes after ids[:t+1]: float64 (T, V+1)."""
    places = np.ones((len(ids), len(ids)))
    before = np.tril(places, -1)  # (T, T): which places lie before which
    present = np.minimum(before @ one_hot(ids, len(votes)), 1)  # (T, V): earlier words, each once
    return np.einsum("te,etw->tw", present * masks[ids], votes[:, ids])


def prefix_cases(rng: np.random.Generator) -> list[Case]:
    def draw(V):
        masks = (rng.random((V, V)) < 0.6) | np.eye(V, dtype=bool)  # a word may ask for itself
        return normalize(rng.integers(1, 5, (V, V, V + 1))), masks

    def without_repeats():
        return Case("a sentence without repeats", rng.permutation(6)[:4], *draw(6), core=True)

    plain = draw_telling(
        every_prefix,
        without_repeats,
        *(mistake.name for mistake in (WORD_CUT_OFF, NEIGHBORS_ONLY)),
        *(mistake.name for mistake in (MASK_IGNORED, READ_AS_PROBABILITIES)),
    )
    _, *V6 = plain.inputs
    order = rng.permutation(6)
    square = rng.permutation(5)  # as many places as words: nothing but the values tells axes apart
    twice = np.array([order[0], order[1], order[0], order[0], order[2]])
    return [
        plain,
        Case("as many places as words", square, *draw(5)),
        Case("a word that comes three times", twice, V6[0], V6[1] | True),
        Case("a masked pair in each row", order[:5], V6[0], np.roll(np.eye(6), 1, axis=0) < 1),
        Case("a single word", order[:1], *V6),
        Case("no word", order[:0], *V6),
    ]


BEFORE = "np.tril(places, -1)"


def last_row_only(ids, votes, masks):
    rows = every_prefix_votes(ids, votes, masks)
    return rows[-1] if len(rows) else np.zeros(votes.shape[-1])


every_prefix = Task(
    id="03-skip-bigrams/every-prefix",
    title="Every prefix at once",
    kind="stretch",
    points=4,
    minutes=25,
    answer="every_prefix_votes",
    cases=prefix_cases,
    reference=every_prefix_votes,
    misconceptions=(
        SELF_PAIR.by(changed(every_prefix_votes, BEFORE, "np.tril(places)")),
        FUTURE_VISIBLE.by(
            changed(
                every_prefix_votes,
                BEFORE,
                "np.triu(places, 1)",
                "np.triu(places)",
                "np.triu(places, -1)",
                "np.tril(places, 1)",
                "places - np.eye(len(ids))",
            )
        ),
        WORD_CUT_OFF.by(changed(every_prefix_votes, BEFORE, "np.tril(places, -2)")),
        NEIGHBORS_ONLY.by(changed(every_prefix_votes, BEFORE, "np.eye(len(ids), k=-1)")),
        REPEATS_COUNTED.by(
            changed(
                every_prefix_votes,
                "np.minimum(before @ one_hot(ids, len(votes)), 1)",
                "before @ one_hot(ids, len(votes))",
            )
        ),
        EXCHANGED.by(
            changed(every_prefix_votes, "masks[ids]", "masks.T[ids]"),
            changed(every_prefix_votes, "votes[:, ids]", "votes.transpose(1, 0, 2)[:, ids]"),
        ),
        MASK_IGNORED.by(changed(every_prefix_votes, "present * masks[ids]", "present")),
        READ_AS_PROBABILITIES.by(
            lambda ids, votes, masks: normalize(every_prefix_votes(ids, votes, masks))
        ),
        Misconception(
            "rows-one-step-late",
            lambda ids, votes, masks: np.roll(every_prefix_votes(ids, votes, masks), 1, axis=0),
            "Each row belongs to the prefix that is one word shorter. What is the latest word of "
            "row 0?",
        ),
        Misconception(
            "last-row-only",
            last_row_only,
            "These are the votes after the whole sentence. What about the shorter prefixes?",
        ),
    ),
    compare=close(),
    excused=("kind-of-numbers",),
)
