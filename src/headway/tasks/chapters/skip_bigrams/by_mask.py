"""Train: shares of the votes behind a mask that was measured."""

from collections import Counter

import numpy as np

from headway.tasks.chapters.skip_bigrams.agreement import (
    Rows,
    made_up_words,
    parts,
    rows_of,
    share_of,
    verb_typed_in,
    votes_of,
)
from headway.tasks.chapters.skip_bigrams.mistakes import (
    COUNTS_FOR_VOTES,
    MASK_IGNORED,
    MASK_INVERTED,
    NEIGHBORS_ONLY,
    REPEATS_COUNTED,
    RESULTS_IN_ANOTHER_ORDER,
    TYPED_IN,
    WINNER_TAKES_ALL,
)
from headway.tasks.engine.compare import Difference, close
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task
from headway.text.corpus.commands import RUN, RUN_DOWN, check_logs

CLOSE = close(atol=1e-6)
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


def informative(rows: Rows, kept: float = KEPT) -> set[str]:
    """The earlier words whose gain is `kept` of the largest or more."""
    gains = _gains(rows)
    return {word for word, gain in gains.items() if gain >= kept * max(gains.values())}


def vote_shares(sentences, prefixes, choices):
    """Share of the masked votes for each choice, (N, 2); equal shares where nobody votes."""
    rows = rows_of(sentences, prefixes[0][-1])  # the prefixes end with one word
    kept = informative(rows)
    result = np.zeros((len(prefixes), len(choices)))
    for n, prefix in enumerate(prefixes):
        votes = votes_of(rows, set(prefix[:-1]) & kept)
        result[n] = [votes[word] for word in choices]
    totals = result.sum(axis=1, keepdims=True)
    return np.where(totals > 0, result / np.where(totals > 0, totals, 1), 1 / len(choices))


def mask_cases(rng: np.random.Generator) -> list[Case]:
    nouns = [*RUN_DOWN, *RUN]
    ten = [half[i] for half in (RUN_DOWN, RUN) for i in rng.permutation(len(half))[:5]]
    new = nouns[rng.integers(len(nouns))]
    others = [noun for noun in nouns if noun != new]
    cases = []
    for label, made_up, rare, known, asked in (
        ("new sentences", False, 0.36, nouns, nouns),
        ("ten nouns, and made-up words", True, 0.36, ten, ten),
        ("the other kind rarer", True, 0.64, nouns, nouns),
        ("a noun that was never counted", True, 0.36, others, nouns),
    ):
        texts = _about(known, check_logs(rng, 1000, rare, slips=0.02))[:600]
        held_out = _about(asked, check_logs(rng, 200, rare, slips=0.02))[:100]
        sentences, prefixes, truth, choices = parts(rng, texts, held_out, made_up)
        if asked != known:
            truth = [
                word if set(text.split()) & set(known) else None
                for word, text in zip(truth, held_out, strict=True)
            ]
        cases.append(Case(label, sentences, prefixes, choices, truth=truth, core=not made_up))
    return [*cases, _few(rng)]


def _few(rng: np.random.Generator) -> Case:
    """A small corpus whose gap is wide, and the shares that its words have by any limit in it."""
    first, second, third, filler, latest, one, other = made_up_words(rng, 7)
    sentences = []
    for voter, ones, others in ((first, 8, 2), (second, 2, 18), (third, 16, 4)):
        sentences += [[filler, voter, latest, one] for _ in range(ones)]
        # The last of these come several times in their sentences.
        often = 3 if voter == first else 1
        sentences += [[filler, *[voter] * often, latest, other] for _ in range(others)]
    sentences = [sentences[place] for place in rng.permutation(len(sentences))]
    voters = [
        *([first], [second], [first, filler, second], [first, filler, first, second]),
        *([third, first], [filler]),
    ]
    return Case(
        "a small corpus, and words that come several times",
        sentences,
        [[*some, latest] for some in voters],
        [one, other],
        compare=CLOSE,
    )


def _about(nouns: list[str], texts: list[str]) -> list[str]:
    return [text for text in texts if set(nouns) & set(text.split())]


def mean_share(shares: np.ndarray, case: Case) -> float:
    """Mean share of the word that really came, where a noun is known."""
    asked = [(row, word) for row, word in zip(shares, case.truth, strict=True) if word]
    return float(np.mean([row[case.inputs[2].index(word)] for row, word in asked]))


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
    for row, word in enumerate(case.truth):
        if word is None and not np.allclose(shares[row], 0.5, atol=1e-6):
            return Difference(
                f"row {row} is {np.round(shares[row], 3).tolist()}: no word before knows "
                "anything, so both get one half."
            )
    return None


def _does_the_same(got, wrong, case) -> Difference | None:
    """The same shares; where both are good enough, the same kind of row where nobody votes."""
    mine, theirs = (_where_nobody_votes(value, case) for value in (got, wrong))
    if mine is None or theirs is None:
        return CLOSE(got, wrong)
    return None if mine == theirs else Difference("the rows where nobody votes differ.")


def _where_nobody_votes(value, case) -> set[str] | None:
    """What stands in the rows of nouns never counted; None if the other rows are not right."""
    shares = np.asarray(value) if isinstance(value, (list, np.ndarray)) else np.zeros(())
    asked = [row for row, word in enumerate(case.truth) if word]
    if shares.shape != (len(case.truth), 2) or shares.dtype.kind != "f":
        return None
    sums = np.allclose(shares[asked].sum(axis=1), 1, atol=1e-6)
    winners = np.isin(shares[asked], (0, 0.5, 1)).all()
    if not sums or winners or not mean_share(shares, case) >= SHARE_AT_LEAST:
        return None
    others = [row for row, word in zip(shares, case.truth, strict=True) if not word]
    kinds = {
        "half" if np.allclose(row, 0.5) else "some" if abs(row.sum() - 1) < 1e-6 else "nothing"
        for row in others
    }
    alike = len(others) > 1 and all(np.allclose(row, others[0]) for row in others)
    return {"the same"} if alike and kinds == {"some"} else kinds


VOTERS = "set(prefix[:-1]) & kept"
NOBODY = "1 / len(choices))"
KEEP = "informative(rows)"


def _best(rows: Rows, count: int) -> set[str]:
    gains = _gains(rows)
    return set(sorted(gains, key=gains.get, reverse=True)[:count])


def all_where_nobody(sentences, prefixes, choices):
    """All earlier words vote where the mask lets nobody through."""
    rows = rows_of(sentences, prefixes[0][-1])
    kept, result = informative(rows), []
    for prefix in prefixes:
        earlier = set(prefix[:-1])
        votes = votes_of(rows, earlier & kept) or votes_of(rows, earlier)
        result.append([votes[word] / votes.total() for word in choices])
    return np.array(result)


def usual_where_nobody(sentences, prefixes, choices):
    """What is usual after the latest word, where the mask lets nobody through."""
    rows = rows_of(sentences, prefixes[0][-1])
    pooled, shares = sum(rows.values(), Counter()), vote_shares(sentences, prefixes, choices)
    usual = np.array([pooled[word] for word in choices])
    silent = np.isclose(shares, 0.5).all(axis=1, keepdims=True)
    return np.where(silent, usual / usual.sum(), shares)


def best_voter(sentences, prefixes, choices):
    """Of the words that tell anything only the one that tells most votes."""
    rows = rows_of(sentences, prefixes[0][-1])
    gains, kept, result = _gains(rows), informative(rows), []
    for prefix in prefixes:
        voters = sorted(set(prefix[:-1]) & kept, key=gains.get)[-1:]
        votes = votes_of(rows, voters)
        result.append([votes[word] if voters else 1 / len(choices) for word in choices])
    return np.array(result)


def doubtful(sentences, prefixes, choices):
    """Keeps the rows that leave most doubt; where there is none, nothing is given at all."""
    rows, result = rows_of(sentences, prefixes[0][-1]), []
    for prefix in prefixes:
        each = [
            np.array([share_of(rows[word][w], rows[word]) for w in choices])
            for word in set(prefix[:-1]) & set(rows)
        ]
        kept = [row for row in each if -(row * np.log2(np.maximum(row, 1e-300))).sum() > 0.72]
        result.append(np.mean(kept, axis=0))
    return np.array(result)


def weighed_by_gain(power, least=0.0):
    """Each row is weighed by a power of its gain; without a mask, if `least` is zero."""

    def shares(sentences, prefixes, choices):
        rows = rows_of(sentences, prefixes[0][-1])
        gains, kept, result = _gains(rows), informative(rows, least), []
        for prefix in prefixes:
            votes = np.full(len(choices), 1e-12)
            for word in set(prefix[:-1]) & kept:
                row = np.array([share_of(rows[word][choice], rows[word]) for choice in choices])
                votes += max(gains[word], 0) ** power * row
            result.append(votes / votes.sum())
        return np.array(result)

    return shares


def to_a_power(power, kept=True):
    """Shares raised to a power, of all votes or, without a mask, of each voter."""

    def shares(sentences, prefixes, choices):
        if kept:
            sharp = vote_shares(sentences, prefixes, choices) ** power
            return sharp / sharp.sum(axis=1, keepdims=True)
        rows, result = rows_of(sentences, prefixes[0][-1]), []
        for prefix in prefixes:
            each = [rows[word] for word in set(prefix[:-1]) & set(rows)]
            votes = sum(np.array([share_of(row[w], row) for w in choices]) ** power for row in each)
            result.append(votes / votes.sum())
        return np.array(result)

    return shares


def counted_by_places(sentences, latest):
    """Rows in which a pair counts as often as its earlier word stands before the latest."""
    rows = {}
    for sentence in sentences:
        for t in range(1, len(sentence) - 1):
            if sentence[t] == latest:
                for earlier in sentence[:t]:
                    rows.setdefault(earlier, Counter())[sentence[t + 1]] += 1
    return rows


VOTERS_IN_PLACES = "[word for word in prefix[:-1] if word in kept]"
(over_places,) = changed(vote_shares, VOTERS, VOTERS_IN_PLACES)

(not_divided,) = changed(
    vote_shares,
    "return np.where(totals > 0, result / np.where(totals > 0, totals, 1), 1 / len(choices))",
    "return result",
)

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
        MASK_IGNORED.by(
            changed(vote_shares, KEEP, "set(rows)"), all_where_nobody, to_a_power(30, kept=False)
        ),
        COUNTS_FOR_VOTES.by(changed(vote_shares, VOTERS, f"{VOTERS}, lambda count, row: count")),
        REPEATS_COUNTED.by(
            over_places,
            changed(vote_shares, "rows_of(", "counted_by_places("),
            changed(over_places, "rows_of(", "counted_by_places("),
        ),
        Misconception(
            "shares-sharpened",
            any_of(to_a_power(2), to_a_power(3)),
            "The words are right, and the larger share of each row has grown: there is a power or "
            "an exponential behind the votes. What is the share of a word that has 3 of 4 votes?",
        ),
        Misconception(
            "gain-as-weight",
            any_of(weighed_by_gain(1), weighed_by_gain(2), weighed_by_gain(1, KEPT)),
            "The more a pair knows, the louder it votes. Does a mask of zeros and ones have "
            "anything in between, and who votes where nobody knows anything?",
        ),
        NEIGHBORS_ONLY.by(changed(vote_shares, VOTERS, "prefix[-2:-1]")),
        MASK_INVERTED.by(changed(vote_shares, KEEP, "set(rows) - informative(rows)"), doubtful),
        Misconception(
            "fixed-number-of-voters",
            any_of(
                changed(vote_shares, KEEP, *(f"_best(rows, {count})" for count in (16, 12))),
                changed(vote_shares, KEEP, "informative(rows, 1e-9)"),
                best_voter,
            ),
            "You let through a fixed number of earlier words, or more words than tell anything. "
            "If another corpus has more nouns or fewer, where in the order of gains does its gap "
            "lie?",
        ),
        Misconception(
            "wrong-where-nobody-votes",
            any_of(
                usual_where_nobody,
                changed(vote_shares, NOBODY, "0.0)"),
                changed(vote_shares, NOBODY, "np.nan)"),
            ),
            "Where no earlier word may vote, your row is zeros, NaN, or what is usual after the "
            "latest word. Which shares does the text ask for there?",
        ),
        Misconception(
            "limit-too-high",
            changed(vote_shares, KEEP, "informative(rows, 1.0)", "informative(rows, 0.5)"),
            "Many or nearly all of your rows are equal shares: their nouns are silenced. Put the "
            "gains in order: between which two of them lies the gap?",
        ),
        Misconception(
            "divided-by-all-votes",
            changed(
                not_divided,
                "[votes[word] for word in choices]",
                "[votes[word] for word in choices]\n"
                "        result[n] /= votes_of(rows, set(prefix[:-1])).total()",
            ),
            "Your rows do not sum to one. You divide the votes behind the mask by the votes of all "
            "pairs; what do the shares of the voters that are left sum to?",
        ),
        WINNER_TAKES_ALL.by(
            lambda s, p, c: np.round(vote_shares(s, p, c)),
            lambda s, p, c: (1 + np.sign(np.round(vote_shares(s, p, c) - 0.5, 9))) / 2,
        ),
        RESULTS_IN_ANOTHER_ORDER.by(lambda s, p, c: vote_shares(s, p, c)[:, ::-1]),
        TYPED_IN.by(verb_typed_in(vote_shares)),
    ),
    compare=_share_enough,
    alike=_does_the_same,
)
