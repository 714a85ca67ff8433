"""The capstone: a model of the student's choice for a language that nobody has read."""

from collections.abc import Callable, Sequence

import numpy as np

from headway.ngram.byte_baselines import BEST, UNIFORM, chain_name
from headway.ngram.byte_chain import ORDERS, ByteChain
from headway.tasks.chapters.capstone import counting
from headway.tasks.chapters.capstone.diagnosis import diagnosis
from headway.tasks.chapters.capstone.mistakes import MISTAKES
from headway.tasks.chapters.capstone.truth import Truth, beats
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.draw import draw_telling
from headway.tasks.engine.leaderboard import Leaderboard
from headway.tasks.engine.own_cell import fit_then_predict
from headway.tasks.engine.task import Case, Task
from headway.tasks.engine.unseen_text import BYTES, Budget
from headway.text.corpus.drawn_language import draw_language

TEXT, ROWS, LENGTH = 100_000, 32, 128  # bytes to learn from; texts to predict, bytes in each
CASES = 3
BUDGET = Budget(numbers=100_000, seconds=25, characters=12_000)
ROOM = 1.1  # what a first step may cost, as a share of what the chain of order 2 costs
HALF = 0.5  # what a name that comes back may cost, as a share of what it costs the best chain
NOISE = 0.03  # bits a byte: one model under nine students had a range of 0.04


def cases(rng: np.random.Generator) -> list[Case]:
    def ask(label, asked, limit, names=False, **options):
        """A case in a language of its own; limit: of its truth."""
        # Each has chance of its own: what a text tells of its draws tells nothing of others.
        words, known, unknown, seeds = rng.spawn(4)
        language = draw_language(words)
        text, rows = language.text(known, TEXT), language.rows(unknown, ROWS, LENGTH)
        chains = [ByteChain(text, order).bits(rows.text) for order in (0, *ORDERS)]
        once = counting.once(text, rows.text)
        truth = Truth(rows.bits[:, 1:], rows.again[:, 1:], chains, once, names, np.inf, asked)
        truth = truth._replace(limit=float(limit(truth)))
        seed = int(seeds.integers(2**31))
        return Case(label, text, seed, rows.text, BUDGET, truth=truth, **options)

    def better_than_the_best():
        return ask(
            "another language, against the best chain",
            "what the best chain needs",
            lambda truth: truth.best.mean(),
        )

    return [
        ask(
            "a language, against the chain of two bytes",
            "1.1 times what the chain of two bytes needs",
            lambda truth: ROOM * truth.chains[2].mean(),
            core=True,
        ),
        draw_telling(model_task, better_than_the_best, "no-better-than-chains"),
        ask(
            "the names that come back",
            "half of what the best chain needs for them",
            lambda truth: HALF * truth.best[truth.again].mean(),
            names=True,
        ),
    ]


def alike(got, expected, case: Case) -> Difference | None:
    """Whether two answers are both right, or fail in the same way."""
    same = diagnosis(got, case) == diagnosis(expected, case)
    return None if same else Difference("they fail in different ways.")


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
    id="17-capstone/model",
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
    alike=alike,
    leaderboard=Leaderboard(
        measure,
        ranked="bits per byte",
        floor="the truth",
        baselines=(UNIFORM, chain_name(2), BEST),
        also=("parameters",),
        noise=NOISE,
    ),
    excused=("second-call-differs",),
    seconds=CASES * 2 * BUDGET.seconds,
)
