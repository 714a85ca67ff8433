"""The capstone: a model of the student's choice for a language that nobody has read."""

from collections.abc import Callable, Sequence

import numpy as np

from headway.ngram.byte_baselines import BEST, UNIFORM, chain_name
from headway.ngram.byte_chain import bits_of_each_order
from headway.tasks.chapters.capstone import counting
from headway.tasks.chapters.capstone.mistakes import BY_ALL, BY_NAMES, MISTAKES
from headway.tasks.chapters.capstone.truth import (
    ALL,
    ENDINGS,
    NAMES,
    OF_ALL,
    OF_ENDINGS,
    OF_NAMES,
    Truth,
    beats,
)
from headway.tasks.engine.leaderboard import Leaderboard
from headway.tasks.engine.task import Case, Task
from headway.tasks.engine.unseen_text.cell import fit_then_predict
from headway.tasks.engine.unseen_text.refusals import BYTES, Budget
from headway.text.corpus.drawn_language import draw_language

TEXT, ROWS, LENGTH = 400_000, 32, 128  # bytes to learn from; texts to predict, bytes in each
CASES = 3
# The text cannot be kept: the best chain needs more than 50,000 bytes for it, and the program that
# wrote it some 30,000.
BUDGET = Budget(bytes=30_000, seconds=25, characters=12_000)
# The course's own models that count. `headway.chapters` hides them in grading.
HIDDEN = (
    "headway.ngram.markov",
    "headway.ngram.discounting",
    "headway.ngram.count_table",
    "headway.ngram.byte_chain",
    "headway.ngram.byte_baselines",
)
NOISE = 0.03  # bits a byte: one model under nine students had a range of 0.04


def cases(rng: np.random.Generator) -> list[Case]:
    def ask(label: str, about: str, share: float, asked: str, **options) -> Case:
        """A case in a language of its own."""
        # Each has chance of its own: what a text tells of its draws tells nothing of others.
        words, known, unknown, seeds = rng.spawn(4)
        language = draw_language(words)
        text, rows = language.text(known, TEXT), language.rows(unknown, ROWS, LENGTH)
        chains = bits_of_each_order(text, rows.text)
        marks = rows.again[:, 1:], rows.agrees[:, 1:]
        truth = Truth(rows.bits[:, 1:], *marks, chains, about, np.inf, asked)
        truth = truth._replace(limit=share * truth.mean(truth.best))
        seed = int(seeds.integers(2**31))
        return Case(label, text, seed, rows.text, BUDGET, truth=truth, **options)

    return [
        ask(
            "a language, and the endings of its verbs behind names",
            ENDINGS,
            OF_ENDINGS,
            f"{OF_ENDINGS:g} of what the best chain needs for them",
            core=True,
        ),
        ask(
            BY_ALL,
            ALL,
            OF_ALL,
            f"{OF_ALL:g} of what the best chain needs",
        ),
        ask(
            BY_NAMES,
            NAMES,
            OF_NAMES,
            f"{OF_NAMES:g} of what the best chain needs for them",
        ),
    ]


def measure(cases: Sequence[Case], values: Sequence[dict]) -> dict[str, float]:
    """The figures of a model, means over the languages; nothing where something was refused."""
    if any("refused" in got for got in values):
        return {}

    def mean(costs: Callable[[Truth], np.ndarray]) -> float:
        return float(np.mean([costs(case.truth).mean() for case in cases]))

    return {
        "bits per byte": float(np.mean([got["bits"].mean() for got in values])),
        "parameters": max(got["numbers"] for got in values),
        UNIFORM: float(np.log2(BYTES)),
        chain_name(2): mean(lambda truth: truth.chains[2]),
        BEST: mean(lambda truth: truth.best),
        "the truth": mean(lambda truth: truth.true),
    }


model_task = Task(
    id="20-capstone/model",
    title="A model of your own",
    kind="stretch",
    points=10,
    minutes=90,
    answer="model",
    cases=cases,
    verb=fit_then_predict,
    own_draw=True,
    reference=(counting.fit, counting.predict),
    misconceptions=MISTAKES,
    compare=beats,
    leaderboard=Leaderboard(
        measure,
        ranked="bits per byte",
        floor="the truth",
        baselines=(UNIFORM, chain_name(2), BEST),
        also=("parameters",),
        noise=NOISE,
    ),
    excused=("second-call-differs",),
    hidden=HIDDEN,
    seconds=CASES * 2 * BUDGET.seconds,
)
