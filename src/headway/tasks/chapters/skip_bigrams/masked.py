"""Build: the sum of the votes that a mask lets through."""

import numpy as np

from headway.ngram.transition import normalize
from headway.tasks.chapters.skip_bigrams.mistakes import (
    EARLIER_OCCURRENCE_DROPPED,
    EXCHANGED,
    MASK_IGNORED,
    MASK_INVERTED,
    NEIGHBORS_ONLY,
    ONE_VOTER_HEARD,
    PRODUCT,
    READ_AS_PROBABILITIES,
    REPEATS_COUNTED,
    SELF_PAIR,
    WINNER_TAKES_ALL,
    WORD_CUT_OFF,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception, changed
from headway.tasks.engine.requirements import RESULT_KEPT, result_kept
from headway.tasks.engine.task import Case, Task


def masked_votes(prefix, votes, masks):
    """Rows of the earlier words that the latest word's mask keeps, summed: float64 (V+1,)."""
    if not len(prefix):
        return np.zeros(votes.shape[-1])
    earlier, latest = np.unique(prefix[:-1]), prefix[-1]
    voters = earlier[masks[latest, earlier]]
    return votes[voters, latest].sum(axis=0)


def masked_cases(rng: np.random.Generator) -> list[Case]:
    V = 6
    words = rng.permutation(V)
    votes = normalize(rng.integers(0, 4, (V, V, V + 1)) * (rng.random((V, V, 1)) < 0.8))
    # Whatever is drawn: three earlier words, of which the middle one is masked, and an unseen pair.
    a, b, c, latest, unseen, _ = words
    votes[[a, b, c], latest] = normalize(rng.integers(1, 5, (3, V + 1)))
    votes[unseen, latest] = 0
    votes[latest, latest] = normalize(rng.integers(1, 5, V + 1))
    votes[latest, [a, b, c]] = normalize(rng.integers(1, 5, (3, V + 1)))
    masks = rng.random((V, V)) < 0.5
    masks[latest, [a, b, c]] = [True, False, True]
    masks[[a, b, c], latest] = [False, True, True]
    masks[latest, [latest, unseen]] = True
    # Another latest word, half of whose row of the table is zero: a single one forbids a word.
    fork = np.array([[1, 0, 3, 0, 0, 0, 0], [1, 1, 0, 0, 2, 0, 0], [1, 0, 1, 0, 0, 1, 1]]) / 4
    sparse = votes.copy()
    sparse[[a, b, c], latest] = fork
    return [
        Case(
            "three earlier words, one masked", np.array([a, b, c, latest]), votes, masks, core=True
        ),
        Case("every pair may vote", np.array([c, a, latest]), sparse, masks | True),
        Case(
            "the latest word on the diagonal of the masks", np.array([b, c, latest]), votes, masks
        ),
        Case("an earlier word that comes twice", np.array([c, b, c, c, latest]), votes, masks),
        Case("a latest word that stood there before", np.array([a, latest, latest]), votes, masks),
        Case("a pair that was never seen", np.array([unseen, a, latest]), votes, masks),
        Case("no pair may vote", np.array([a, b, latest]), votes, masks & False),
        Case("a single word", np.array([latest]), votes, masks),
        Case("no word", np.zeros(0, dtype=int), votes, masks),
        result_kept(np.array([a, latest]), votes, masks),  # of one voter, whose row stands in votes
    ]


EARLIER = "np.unique(prefix[:-1])"
VOTERS = "earlier[masks[latest, earlier]]"
SUM = "votes[voters, latest].sum(axis=0)"

masked = Task(
    id="03-skip-bigrams/masked",
    title="A prediction behind a mask",
    kind="build",
    points=2,
    minutes=12,
    answer="masked_votes",
    cases=masked_cases,
    reference=masked_votes,
    misconceptions=(
        Misconception(
            "mask-after-sum",
            changed(
                masked_votes,
                SUM,
                "votes[earlier, latest].sum(axis=0) * np.append(masks[latest], True)",
            ),
            "All pairs have voted, and then your mask strikes out next words. Does a mask choose "
            "pairs that may vote, or words that may win?",
        ),
        EXCHANGED.by(
            changed(masked_votes, "masks[latest, earlier]", "masks[earlier, latest]"),
            changed(masked_votes, "votes[voters, latest]", "votes[latest, voters]"),
        ),
        MASK_IGNORED.by(
            changed(
                masked_votes,
                VOTERS,
                "earlier",
                f"{VOTERS} if masks[latest, earlier].any() else earlier",
            )
        ),
        MASK_INVERTED.by(changed(masked_votes, "masks[latest", "~masks[latest")),
        READ_AS_PROBABILITIES.by(
            changed(
                masked_votes,
                SUM,
                f"normalize({SUM})",
                f"{SUM} / max(len(voters), 1)",
                SUM.replace("sum", "mean"),
            )
        ),
        PRODUCT.by(
            changed(masked_votes, SUM, "votes[voters, latest].prod(axis=0) * bool(len(voters))")
        ),
        ONE_VOTER_HEARD.by(
            changed(masked_votes, SUM, "votes[voters, latest].max(axis=0, initial=0)")
        ),
        REPEATS_COUNTED.by(changed(masked_votes, EARLIER, "prefix[:-1]")),
        SELF_PAIR.by(changed(masked_votes, EARLIER, "np.unique(prefix)")),
        EARLIER_OCCURRENCE_DROPPED.by(
            changed(masked_votes, EARLIER, "np.setdiff1d(prefix, prefix[-1])")
        ),
        WORD_CUT_OFF.by(changed(masked_votes, EARLIER, "np.unique(prefix[:-2])")),
        NEIGHBORS_ONLY.by(changed(masked_votes, EARLIER, "prefix[-2:-1]")),
        RESULT_KEPT.by(
            changed(
                masked_votes,
                f"return {SUM}",
                f"return votes[voters[0], latest] if len(voters) == 1 else {SUM}",
            )
        ),
        WINNER_TAKES_ALL.by(
            changed(
                masked_votes,
                f"return {SUM}",
                f"total = {SUM}\n    return 1.0 * ((total == total.max()) & (total > 0))",
            )
        ),
    ),
    compare=close(),
)
