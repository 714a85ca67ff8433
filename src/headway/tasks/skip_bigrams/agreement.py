"""Train: what follows a verb whose noun stands far back, resolved by counting.

Sentences are those of the chapter with more nouns, other verbs and a changing middle. In one case
of each task all words are made up, so that a list of nouns typed in by hand is of no use.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise

import numpy as np

from headway.tasks.compare import Difference, close, equal
from headway.tasks.task import Case, Misconception, Task
from headway.text.corpus.commands import check_logs

WRONG_AT_MOST = 0.1  # of the words chosen
SHARE_AT_LEAST = 0.85  # the mean share of the right word
KEPT = 0.15  # of the largest gain: the gap lies between about a twentieth and a fourth
SYLLABLES = ("ka", "lo", "mi", "né", "ru", "sø", "ta", "ži")

Sentences = list[list[str]]
Rows = Mapping[str, Counter]


def _parts(
    rng: np.random.Generator, texts: list[str], held_out: list[str], made_up: bool = False
) -> tuple[Sentences, Sentences, list[str], list[str]]:
    """Sentences, held-out prefixes up to the verb, the word after each, and the two choices."""
    words = sorted({word for text in texts + held_out for word in text.split()})
    drawn = rng.permutation(len(SYLLABLES) ** 3)[: len(words)]
    spelt = [
        "".join(SYLLABLES[i] for i in np.unravel_index(place, (len(SYLLABLES),) * 3))
        for place in drawn
    ]
    new = dict(zip(words, spelt if made_up else words, strict=True))
    train, test = ([[new[w] for w in text.split()] for text in part] for part in (texts, held_out))
    ends = [sentence.index(new["ran"]) + 1 for sentence in test]
    prefixes = [sentence[:end] for sentence, end in zip(test, ends, strict=True)]
    truth = [sentence[end] for sentence, end in zip(test, ends, strict=True)]
    return train, prefixes, truth, [new["down"], new["please"]]


def _rows(sentences: Sentences, latest: str) -> Rows:
    """How often each next word followed (earlier word, latest word), by the earlier word."""
    rows = defaultdict(Counter)
    for sentence in sentences:
        for t in range(1, len(sentence) - 1):
            if sentence[t] == latest:
                for earlier in set(sentence[:t]):
                    rows[earlier][sentence[t + 1]] += 1
    return rows


def _share(count: int, row: Counter) -> float:
    return count / row.total()


def _votes(
    rows: Rows, voters: Iterable[str], weigh: Callable[[int, Counter], float] = _share
) -> Counter:
    votes = Counter()
    for voter in sorted(voters):
        for word, count in rows.get(voter, {}).items():
            votes[word] += weigh(count, rows[voter])
    return votes


def _best(votes: Counter) -> str:
    return max(sorted(votes), key=votes.get, default="")


# --- choosing by all votes -----------------------------------------------------------------------


def choose_words(sentences: Sentences, prefixes: Sentences) -> list[str]:
    """For each prefix the word with the most votes of all pairs that are present."""
    return _choose(sentences, prefixes, lambda prefix: set(prefix[:-1]))


def _choose(sentences, prefixes, voters, weigh=_share, best=_best):
    rows = {latest: _rows(sentences, latest) for latest in {prefix[-1] for prefix in prefixes}}
    return [best(_votes(rows[prefix[-1]], voters(prefix), weigh)) for prefix in prefixes]


def _own_successors(sentences, prefixes):
    rows = defaultdict(Counter)
    for sentence in sentences:
        for word, following in pairwise(sentence):
            rows[word][following] += 1
    return [_best(_votes(rows, set(prefix))) for prefix in prefixes]


def _most_frequent(sentences, prefixes):
    counts = Counter(word for sentence in sentences for word in sentence)
    return [_best(counts)] * len(prefixes)


def vote_cases(rng: np.random.Generator) -> list[Case]:
    cases = []
    for label, made_up in (("new sentences", False), ("made-up words", True)):
        texts, held_out = check_logs(rng, 600, run_down=0.49), check_logs(rng, 100)
        sentences, prefixes, truth, _ = _parts(rng, texts, held_out, made_up)
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
    ),
    compare=_few_wrong,
    alike=equal(),
)


# --- shares behind a measured mask ---------------------------------------------------------------


def _gains(rows: Rows) -> dict[str, float]:
    """Information gain of each earlier word, in bits."""
    pooled = sum(rows.values(), Counter())
    return {
        earlier: sum(
            _share(n, row) * np.log2(_share(n, row) / _share(pooled[word], pooled))
            for word, n in row.items()
        )
        for earlier, row in rows.items()
    }


def _keep_informative(rows: Rows, kept: float = KEPT) -> set[str]:
    gains = _gains(rows)
    return {word for word, gain in gains.items() if gain >= kept * max(gains.values())}


def _shares(sentences, prefixes, choices, keep: Callable[[Rows], set[str]]) -> np.ndarray:
    """Shares of the votes of the earlier words that are kept; equal shares where none votes."""
    rows = {latest: _rows(sentences, latest) for latest in {prefix[-1] for prefix in prefixes}}
    kept = {latest: keep(row) for latest, row in rows.items()}
    result = np.zeros((len(prefixes), len(choices)))
    for n, prefix in enumerate(prefixes):
        votes = _votes(rows[prefix[-1]], set(prefix[:-1]) & kept[prefix[-1]])
        result[n] = [votes[word] for word in choices]
    totals = result.sum(axis=1, keepdims=True)
    return np.where(totals > 0, result / np.where(totals > 0, totals, 1), 1 / len(choices))


def vote_shares(sentences: Sentences, prefixes: Sentences, choices: list[str]) -> np.ndarray:
    """Share of the masked votes for each choice, (N, 2); the mask is measured by its gain."""
    return _shares(sentences, prefixes, choices, _keep_informative)


def _divided_by_all(sentences, prefixes, choices):
    rows = _rows(sentences, prefixes[0][-1])
    kept, result = _keep_informative(rows), []
    for prefix in prefixes:
        earlier = set(prefix[:-1])
        votes, everyone = _votes(rows, earlier & kept), _votes(rows, earlier)
        result.append([votes[word] / everyone.total() for word in choices])
    return result


def mask_cases(rng: np.random.Generator) -> list[Case]:
    cases = []
    for label, made_up, rare in (
        ("new sentences", False, 0.4),
        ("made-up words", True, 0.4),
        ("the other kind rarer", True, 0.6),
    ):
        texts, held_out = (check_logs(rng, count, rare, slips=0.02) for count in (600, 100))
        sentences, prefixes, truth, choices = _parts(rng, texts, held_out, made_up)
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
    reached = mean_share(shares, case)
    if reached >= SHARE_AT_LEAST:
        return None
    return Difference(
        f"the right word has a mean share of {reached:.3f}; {SHARE_AT_LEAST} is asked."
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
            "divided-by-all-votes",
            _divided_by_all,
            "Your rows do not sum to one. You divide the votes behind the mask by the votes of all "
            "pairs; what do the shares of the voters that are left sum to?",
        ),
        Misconception(
            "columns-swapped",
            lambda s, p, c: vote_shares(s, p, c)[:, ::-1],
            "The shares would be right if the columns changed places. In which order do the "
            "choices come?",
        ),
    ),
    compare=_share_enough,
    alike=close(atol=1e-6),
)
