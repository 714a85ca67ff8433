"""The capstone: a model of the student's choice for a language that nobody has read."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from headway.ngram.byte_baselines import BEST, UNIFORM, chain_name
from headway.ngram.byte_chain import ORDERS, ByteChain
from headway.tasks.chapters.capstone import counting
from headway.tasks.chapters.capstone.mistakes import MISTAKES
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.leaderboard import Leaderboard
from headway.tasks.engine.task import Case, Task
from headway.tasks.engine.unseen_text import BYTES, Budget, fit_then_predict
from headway.text.corpus.drawn_language import draw_language

TEXT, ROWS, LENGTH = 100_000, 32, 128  # bytes to learn from; texts to predict, bytes in each
BUDGET = Budget(numbers=100_000, seconds=25, characters=12_000)
HALF = 0.5  # what a name that comes back may cost, as a share of what it costs the best chain
EVEN, UNTRAINED, NEAR = 8.0, 4.7, 0.05  # bits a byte
ECHO, ALIKE = 0.5, 1e-6  # probabilities


class Truth(NamedTuple):
    """What the predictions of a case's texts are measured by; costs are in bits, (B, T − 1).

    Attributes:
        true: what each byte costs whoever knows the language.
        again: whether a byte belongs to a name that has come before.
        chains: what each byte costs the chain of each order, from 0 on.
        names: whether bytes of names that come back are asked about, and not all bytes.
        limit: the most bits a byte that pass.
        asked: what the limit is, in words.
    """

    true: np.ndarray
    again: np.ndarray
    chains: list[np.ndarray]
    names: bool
    limit: float
    asked: str

    @property
    def best(self) -> np.ndarray:
        """What each byte costs the chain that is best at all of them."""
        return min(self.chains, key=np.mean)


def cases(rng: np.random.Generator) -> list[Case]:
    def ask(label, asked, limit, names=False, **options):
        """A case in a language of its own; limit: of its truth."""
        # Each has chance of its own: what a text tells of its draws tells nothing of others.
        words, known, unknown, seeds = rng.spawn(4)
        language = draw_language(words)
        text, rows = language.text(known, TEXT), language.rows(unknown, ROWS, LENGTH)
        chains = [ByteChain(text, order).bits(rows.text) for order in (0, *ORDERS)]
        truth = Truth(rows.bits[:, 1:], rows.again[:, 1:], chains, names, np.inf, asked)
        truth = truth._replace(limit=float(limit(truth)))
        seed = int(seeds.integers(2**31))
        return Case(label, text, seed, rows.text, BUDGET, truth=truth, **options)

    return [
        ask(
            "a language, against the chain of two bytes",
            "what the chain of two bytes needs",
            lambda truth: truth.chains[2].mean(),
            core=True,
        ),
        ask(
            "another language, against the best chain",
            "what the best chain needs",
            lambda truth: truth.best.mean(),
        ),
        ask(
            "the names that come back",
            "half of what the best chain needs for them",
            lambda truth: HALF * truth.best[truth.again].mean(),
            names=True,
        ),
    ]


def cost(got, case: Case) -> float:
    """Bits a byte of what a case asks about: of all bytes, or of names that come back."""
    bits = got["bits"]
    return float(bits[case.truth.again].mean() if case.truth.names else bits.mean())


def beats(got, expected, case: Case) -> Difference | None:
    """Whether the texts cost less than they cost the case's baseline."""
    if "refused" in got:
        return Difference(got["refused"][1])
    reached, truth = cost(got, case), case.truth
    if reached < truth.limit:
        return None
    of_what = "names that come back cost" if truth.names else "the texts cost"
    least = truth.true[truth.again] if truth.names else truth.true
    return Difference(
        f"{of_what} {reached:.3f} bits a byte; less than {truth.limit:.3f} is asked, "
        f"{truth.asked}. Who knows the language needs {least.mean():.3f}."
    )


def diagnosis(got, case: Case) -> str:
    """What a model's predictions show in a case: "right", or a kind of failure."""
    if "refused" in got:
        return got["refused"][0]
    if beats(got, None, case) is None:
        return "right"
    reached, truth = got["bits"].mean(), case.truth
    if got["last"] > ECHO:
        return "the byte seen last"
    if abs(reached - truth.chains[0].mean()) < NEAR:
        return "frequencies"
    if got["apart"] < ALIKE and not UNTRAINED < reached < EVEN + NEAR:
        return "one prediction for all texts"
    if reached > UNTRAINED:
        return "not trained"
    return "one byte" if reached > truth.chains[1].mean() - NEAR else "not enough"


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
    probe=fit_then_predict,
    reference=(counting.fit, counting.predict),
    misconceptions=MISTAKES,
    compare=beats,
    alike=alike,
    leaderboard=Leaderboard(
        measure,
        ranked="bits per byte",
        floor="the truth",
        beside=(UNIFORM, chain_name(2), BEST),
        also=("parameters",),
    ),
    excused=("second-call-differs",),
)
