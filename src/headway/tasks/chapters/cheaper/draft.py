"""Train: a draft that guesses what a model will say, learned from what it has written."""

from typing import NamedTuple

import numpy as np

from headway.inference.speculative_cost import expected_tokens
from headway.ngram.echoes import EchoingModel
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.mistakes import seen
from headway.tasks.engine.task import Case, Task

LENGTH = 4  # words drafted in a round
TARGET = 3.7  # words a call
WEIGHT = 2.0  # of the shorter chain, in words
SAME = 1e-6
MORE = 0.25  # words a call that another temperature wins, and nothing else that is wrong


def draft(texts, V, temperature, begun):
    """Probabilities (B, V) of the word after each of B texts, as a model says them at T."""
    known, held_out = np.split(texts, [len(texts) * 3 // 4])
    heard = words_repeated(held_out)
    chain = chain_of(known, V)[held_out[:, :-2], held_out[:, 1:-1]]  # (N, L − 2, V)
    came = np.take_along_axis(chain, held_out[:, 2:, None], -1)[..., 0]
    hit = heard[:, 2:] == held_out[:, 2:]
    there = heard[:, 2:] >= 0

    def likelihood(share):
        return np.log(np.where(there, (1 - share) * came + share * hit, came)).sum()

    share = max(np.arange(0.0, 0.95, 0.05), key=likelihood)
    q = chain_of(texts, V)[[ids[-2] for ids in begun], [ids[-1] for ids in begun]]
    for row, ids in zip(q, begun, strict=True):
        places = [t for t, word in enumerate(ids[:-1]) if word == ids[-1]]
        if places:
            row *= 1 - share
            row[ids[places[-1] + 1]] += share
    q = q ** (1 / temperature)
    return q / q.sum(axis=1, keepdims=True)


def chain_of(texts, V):
    """P (V, V, V) of a word after two, counted, on top of P after one."""
    pairs, triples = np.ones((V, V)), np.zeros((V, V, V))
    np.add.at(pairs, (texts[:, :-1], texts[:, 1:]), 1)
    np.add.at(triples, (texts[:, :-2], texts[:, 1:-1], texts[:, 2:]), 1)
    pairs /= pairs.sum(axis=1, keepdims=True)
    return (triples + WEIGHT * pairs) / (triples.sum(axis=2, keepdims=True) + WEIGHT)


def words_repeated(texts):
    """For each place what came after the word before it the last time, or −1."""
    repeated = np.full(texts.shape, -1)
    for t in range(2, texts.shape[1]):
        came = texts[:, : t - 1] == texts[:, t - 1 : t]
        rows = np.flatnonzero(came.any(axis=1))
        repeated[rows, t] = texts[rows, t - 1 - came[rows, ::-1].argmax(axis=1)]
    return repeated


class Truth(NamedTuple):
    """What the answer to a case is measured by.

    Attributes:
        P: (B, V), what the model says after each beginning.
        target: the words a call that pass.
    """

    P: np.ndarray
    target: float


def cases(rng: np.random.Generator) -> list[Case]:
    def make(label, temperature=0.7, count=300, longest=60, target=TARGET, **options):
        model = EchoingModel(rng, repeats=rng.uniform(0.4, 0.5))
        texts = model.write(rng, count, 50)
        written = model.write(rng, 400, longest, temperature)
        ends = rng.integers(2, longest, len(written))
        begun = [row[:end].tolist() for row, end in zip(written, ends, strict=True)]
        P = np.concatenate([model.predict(np.array([ids]), temperature) for ids in begun])
        given = texts, model.size, temperature, begun
        return Case(label, *given, truth=Truth(P, target), **options)

    return [
        make("texts of up to 60 words", core=True),
        make("a lower temperature", temperature=0.5),
        make("temperature one", temperature=1.0, target=3.4),
        make("few texts to learn from", temperature=0.6, count=150, target=3.55),
        make("short beginnings", longest=20, target=3.55),
    ]


def words_a_call(q: np.ndarray, P: np.ndarray) -> float:
    """E, for the share of drafted words that is kept."""
    return expected_tokens(float(np.minimum(q, P).sum(axis=1).mean().clip(0, 1)), LENGTH)


def in_form(got, case: Case) -> np.ndarray | str:
    """The probabilities (B, V), or what is wrong with them."""
    q, P = np.asarray(got, dtype=float), case.truth.P
    if q.shape != P.shape:
        return f"the shape is {q.shape}, expected {P.shape}."
    if not np.isfinite(q).all() or q.min() < 0 or abs(q.sum(axis=1) - 1).max() > 1e-4:
        return "the rows aren't probabilities: numbers from 0 on that add up to one."
    return q


def enough_words(got, expected, case) -> Difference | None:
    """Whether a call gives as many words as the case asks for."""
    q = in_form(got, case)
    if isinstance(q, str):
        return Difference(q)
    words = words_a_call(q, case.truth.P)
    if words >= case.truth.target:
        return None
    return Difference(
        f"{np.minimum(q, case.truth.P).sum(axis=1).mean():.1%} of the drafted words are kept, "
        f"which gives {words:.2f} words a call; at least {case.truth.target} are asked."
    )


def on(tells):
    """A predicate on probabilities and their case, in the form that was asked for."""

    def shows(got, expected, case) -> bool:
        q = in_form(got, case)
        return not isinstance(q, str) and bool(tells(q, case))

    return shows


def tells_by_last_two_words(q, case) -> bool:
    """Whether rows are the same wherever the last two words are."""
    first = {}
    ends = [tuple(ids[-2:]) for ids in case.inputs[3]]
    return all(
        abs(first.setdefault(end, row) - row).max() < SAME for end, row in zip(ends, q, strict=True)
    )


def at_another_temperature(q, case) -> bool:
    """Whether rows raised to a power would win a lot more words; never where T is 1."""
    T, words = case.inputs[2], words_a_call(q, case.truth.P)
    raised = [q**power for power in (T, T**2, 1 / T, 1 / T**2)] if T != 1 else []
    best = [words_a_call(rows / rows.sum(axis=1, keepdims=True), case.truth.P) for rows in raised]
    return max(best, default=0) > words + MORE


draft_task = Task(
    id="19-cheaper/draft",
    title="A draft of your own",
    kind="train",
    points=5,
    minutes=50,
    answer="draft",
    cases=cases,
    reference=draft,
    misconceptions=(
        seen(
            "not-probabilities",
            "Your rows aren't probabilities, or there are too few of them. What does a round "
            "divide by, and what if a word that was drawn has a wrong chance there?",
            lambda got, expected, case: isinstance(in_form(got, case), str),
        ),
        seen(
            "a-draft-that-is-certain",
            "Your draft always bets everything on one word. How often is that word kept, if the "
            "model gives it half of the probability?",
            on(lambda q, case: (q.max(axis=1) > 0.99).mean() > 0.9),
        ),
        seen(
            "last-two-words-only",
            "Your draft depends on the last two words at most, and on nothing before them. Read "
            "some of the texts: what comes again in them, and after what?",
            on(tells_by_last_two_words),
        ),
        seen(
            "another-temperature",
            "Raised to a power, your probabilities would fit the model much better. At which "
            "temperature were the texts written that you count in, and at which does the model "
            "write now?",
            on(at_another_temperature),
        ),
        seen(
            "guessed-otherwise",
            "Your draft looks further back than two words, and keeps too few. For some texts, "
            "print what it says beside what the model says: where do they differ most?",
            on(lambda q, case: not at_another_temperature(q, case)),
        ),
    ),
    compare=enough_words,
)
