"""Train: shares of the votes behind a mask that was measured."""

from collections import Counter
from collections.abc import Callable

import numpy as np

from headway.tasks.chapters.skip_bigrams.agreement import (
    Rows,
    Sentences,
    parts,
    rows_of,
    share_of,
    verb_typed_in,
    votes_of,
)
from headway.tasks.engine.compare import Difference, close
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task
from headway.text.corpus.commands import check_logs

SHARE_AT_LEAST = 0.85  # the mean share of the right word
KEPT = 0.15  # of the largest gain: the gap lies between about a twentieth and a fourth


def _gains(rows: Rows) -> dict[str, float]:
    """Information gain of each earlier word, in bits."""
    pooled = sum(rows.values(), Counter())
    return {
        earlier: sum(
            share_of(n, row) * np.log2(share_of(n, row) / share_of(pooled[word], pooled))
            for word, n in row.items()
        )
        for earlier, row in rows.items()
    }


def _keep_informative(rows: Rows, kept: float = KEPT) -> set[str]:
    gains = _gains(rows)
    return {word for word, gain in gains.items() if gain >= kept * max(gains.values())}


def _shares(sentences, prefixes, choices, keep: Callable[[Rows], set[str]]) -> np.ndarray:
    """Shares of the votes of the earlier words that are kept; equal shares where none votes."""
    rows = {latest: rows_of(sentences, latest) for latest in {prefix[-1] for prefix in prefixes}}
    kept = {latest: keep(row) for latest, row in rows.items()}
    result = np.zeros((len(prefixes), len(choices)))
    for n, prefix in enumerate(prefixes):
        votes = votes_of(rows[prefix[-1]], set(prefix[:-1]) & kept[prefix[-1]])
        result[n] = [votes[word] for word in choices]
    totals = result.sum(axis=1, keepdims=True)
    return np.where(totals > 0, result / np.where(totals > 0, totals, 1), 1 / len(choices))


def vote_shares(sentences: Sentences, prefixes: Sentences, choices: list[str]) -> np.ndarray:
    """Share of the masked votes for each choice, (N, 2); the mask is measured by its gain."""
    return _shares(sentences, prefixes, choices, _keep_informative)


def _divided_by_all(sentences, prefixes, choices):
    rows = rows_of(sentences, prefixes[0][-1])
    kept, result = _keep_informative(rows), []
    for prefix in prefixes:
        earlier = set(prefix[:-1])
        votes, everyone = votes_of(rows, earlier & kept), votes_of(rows, earlier)
        result.append([votes[word] / everyone.total() for word in choices])
    return result


def _winner_takes_all(sentences, prefixes, choices):
    return np.round(vote_shares(sentences, prefixes, choices))


def mask_cases(rng: np.random.Generator) -> list[Case]:
    cases = []
    for label, made_up, rare in (
        ("new sentences", False, 0.36),
        ("made-up words", True, 0.36),
        ("the other kind rarer", True, 0.64),
    ):
        texts, held_out = (check_logs(rng, count, rare, slips=0.02) for count in (600, 100))
        sentences, prefixes, truth, choices = parts(rng, texts, held_out, made_up)
        cases.append(Case(label, sentences, prefixes, choices, truth=truth, core=not made_up))
    return cases


def mean_share(shares: np.ndarray, case: Case) -> float:
    """Mean share of the word that really came."""
    columns = [case.inputs[2].index(word) for word in case.truth]
    return float(shares[np.arange(len(columns)), columns].mean())


def _share_enough(got, expected, case) -> Difference | None:
    """Rows of shares, on average enough of them for the word that came."""
    shares = np.asarray(got) if isinstance(got, (list, np.ndarray)) else np.zeros(())
    if shares.shape != expected.shape or shares.dtype.kind not in "iuf":
        return Difference(f"the shape is {shares.shape}, expected {expected.shape}.")
    sums = shares.sum(axis=1)
    if not np.isfinite(sums).all() or (shares < 0).any() or not np.allclose(sums, 1, atol=1e-6):
        row = int(np.argmax(~(np.abs(sums - 1) < 1e-6) | (shares < 0).any(axis=1)))
        return Difference(f"row {row} is {np.round(shares[row], 3).tolist()}: shares sum to one.")
    reached, even = mean_share(shares, case), int(np.isclose(shares, 0.5).all(axis=1).sum())
    if reached < SHARE_AT_LEAST:
        return Difference(
            f"the right word has a mean share of {reached:.3f}; {SHARE_AT_LEAST} is asked. "
            f"In {even} of {len(shares)} rows both shares are one half."
        )
    if np.isin(shares, (0, 0.5, 1)).all():
        return Difference("one word gets everything in each row, where shares are asked.")
    return None


by_mask = Task(
    id="03-skip-bigrams/by-mask",
    title="Shares behind a measured mask",
    kind="train",
    points=3,
    minutes=20,
    answer="vote_shares",
    cases=mask_cases,
    reference=vote_shares,
    misconceptions=(
        Misconception(
            "no-mask",
            lambda s, p, c: _shares(s, p, c, set),
            "All pairs vote, and most of them say only which word is more frequent. Which pairs "
            "tell anything?",
        ),
        Misconception(
            "adjacency-only",
            lambda s, p, c: _shares(s, [x[-2:] for x in p], c, set),
            "Only the neighbor of the latest word votes, and it is the same in every sentence. "
            "Which earlier word makes the difference?",
        ),
        Misconception(
            "mask-inverted",
            lambda s, p, c: _shares(s, p, c, lambda rows: set(rows) - _keep_informative(rows)),
            "The pairs that tell most are the ones you silence. On which side of the limit may a "
            "pair vote?",
        ),
        Misconception(
            "best-pair-only",
            lambda s, p, c: _shares(s, p, c, lambda rows: _keep_informative(rows, 1.0)),
            "Nearly all of your rows are equal shares: only the pair with the largest gain may "
            "vote. Is it in every prefix?",
        ),
        Misconception(
            "limit-too-high",
            lambda s, p, c: _shares(s, p, c, lambda rows: _keep_informative(rows, 0.5)),
            "Many prefixes get equal shares: their nouns are silenced. Put the gains in "
            "order: between which two of them lies the gap?",
        ),
        Misconception(
            "divided-by-all-votes",
            _divided_by_all,
            "Your rows do not sum to one. You divide the votes behind the mask by the votes of all "
            "pairs; what do the shares of the voters that are left sum to?",
        ),
        Misconception(
            "winner-takes-all",
            _winner_takes_all,
            "The word with more votes gets everything. How many votes has the other one, and what "
            "is its share?",
        ),
        Misconception(
            "columns-swapped",
            lambda s, p, c: vote_shares(s, p, c)[:, ::-1],
            "The shares would be right if the columns changed places. In which order do the "
            "choices come?",
        ),
        Misconception(
            "verb-typed-in",
            verb_typed_in(vote_shares),
            "With made-up words your function looks for a word that is not there: one that you "
            "typed in. What do all prefixes have in common?",
        ),
    ),
    compare=_share_enough,
    alike=close(atol=1e-6),
)
