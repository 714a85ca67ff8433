"""Build: the sum of the votes that a mask lets through."""

import numpy as np

from headway.ngram.transition import normalize
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task


def masked_votes(prefix: np.ndarray, votes: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Rows of the earlier words that the latest word's mask keeps, summed: float64 (V+1,)."""
    return _rows(prefix, votes, masks).sum(axis=0)


def _rows(prefix, votes, masks) -> np.ndarray:
    """The rows that vote, (N, V+1)."""
    if not len(prefix):
        return np.zeros((0, votes.shape[-1]))
    earlier, latest = np.unique(prefix[:-1]), prefix[-1]
    return votes[earlier[masks[latest, earlier]], latest]


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
        Case("every pair may vote", np.array([c, a, latest]), sparse, masks | True, core=True),
        Case(
            "the latest word on the diagonal of the masks", np.array([b, c, latest]), votes, masks
        ),
        Case("an earlier word that comes twice", np.array([c, b, c, c, latest]), votes, masks),
        Case("a latest word that stood there before", np.array([a, latest, latest]), votes, masks),
        Case("a pair that was never seen", np.array([unseen, a, latest]), votes, masks),
        Case("no pair may vote", np.array([a, b, latest]), votes, masks & False),
        Case("a single word", np.array([latest]), votes, masks),
        Case("no word", np.zeros(0, dtype=int), votes, masks),
    ]


def _voters(prefix, mask, repeats=False) -> np.ndarray:
    """The earlier words that a mask (V,) keeps."""
    earlier = prefix[:-1] if repeats else np.unique(prefix[:-1])
    return earlier[mask[earlier]]


def _guarded(answer):
    """A wrong answer that is right about the empty prefix."""
    return lambda prefix, votes, masks: (
        answer(prefix, votes, masks) if len(prefix) else np.zeros(votes.shape[-1])
    )


def _mask_after_sum(prefix, votes, masks):
    total = votes[np.unique(prefix[:-1]), prefix[-1]].sum(axis=0)
    return total * np.append(masks[prefix[-1]], True)


def _normalized(prefix, votes, masks):
    return normalize(masked_votes(prefix, votes, masks))


def _mean(prefix, votes, masks):
    rows = _rows(prefix, votes, masks)
    return rows.sum(axis=0) / max(len(rows), 1)


def _product(prefix, votes, masks):
    rows = _rows(prefix, votes, masks)
    return rows.prod(axis=0) if len(rows) else np.zeros(votes.shape[-1])


def _all_if_none(prefix, votes, masks):
    return _rows(prefix, votes, masks if len(_rows(prefix, votes, masks)) else masks | True).sum(0)


def _winner(prefix, votes, masks):
    total = masked_votes(prefix, votes, masks)
    return (total == total.max()) * (total > 0).astype(float)


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
            _guarded(_mask_after_sum),
            "All pairs have voted, and then your mask has struck out next words. What does a mask "
            "choose: pairs that may vote, or words that may win?",
        ),
        Misconception(
            "mask-by-earlier",
            _guarded(
                lambda p, v, m: v[[w for w in np.unique(p[:-1]) if m[w, p[-1]]], p[-1]].sum(axis=0)
            ),
            "Each pair asks the mask of its earlier word. Whose mask decides: each earlier word's, "
            "or the one of the latest word?",
        ),
        Misconception(
            "no-mask",
            lambda p, v, m: masked_votes(p, v, m | True),
            "All pairs that are present have voted. Which of them does the mask let through?",
        ),
        Misconception(
            "mask-inverted",
            lambda p, v, m: masked_votes(p, v, ~m),
            "Exactly the pairs that should be silent have voted. What does True mean in a mask of "
            "this course?",
        ),
        Misconception(
            "all-vote-if-none-may",
            _all_if_none,
            "Where the mask silences every pair, all of your pairs vote. What is the sum of no "
            "rows?",
        ),
        Misconception(
            "votes-read-as-probabilities",
            _normalized,
            "Your numbers sum to one. The sum of several rows of votes is asked for: must it be a "
            "probability?",
        ),
        Misconception(
            "mean-for-sum",
            _mean,
            "You divide by the number of pairs that vote. Does a word that five pairs vote for "
            "have no more votes than one with a single pair?",
        ),
        Misconception(
            "probability-product",
            _product,
            "The rows are multiplied, so that one zero vetoes a word for which all others vote. "
            "What is done with votes?",
        ),
        Misconception(
            "set-lost",
            lambda p, v, m: (
                v[_voters(p, m[p[-1]], repeats=True), p[-1]].sum(axis=0)
                if len(p)
                else np.zeros(v.shape[-1])
            ),
            "An earlier word that comes twice votes twice. Is its pair one feature or two?",
        ),
        Misconception(
            "self-pair",
            _guarded(
                lambda p, v, m: v[[w for w in np.unique(p) if m[p[-1], w]], p[-1]].sum(axis=0)
            ),
            "The latest word votes as a context of itself. Does it stand before itself?",
        ),
        Misconception(
            "twin-dropped",
            _guarded(
                lambda p, v, m: v[
                    [w for w in np.unique(p) if m[p[-1], w] and w != p[-1]], p[-1]
                ].sum(axis=0)
            ),
            "A latest word that stood there before as well has lost that earlier vote. Do you "
            "leave out a word, or a place?",
        ),
        Misconception(
            "adjacency-only",
            lambda p, v, m: masked_votes(p[-2:], v, m),
            "Only the neighbor of the latest word votes. What of the words before it?",
        ),
        Misconception(
            "pair-turned-round",
            _guarded(lambda p, v, m: v[p[-1], _voters(p, m[p[-1]])].sum(axis=0)),
            "The rows you add belong to pairs that are turned round. Which word is on the first "
            "axis of the vote table?",
        ),
        Misconception(
            "winner-only",
            _winner,
            "Your result marks the winner with a one. How many votes did it get, and how many the "
            "others?",
        ),
    ),
    compare=close(),
)
