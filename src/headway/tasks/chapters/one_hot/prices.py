"""Price models on label codes and on one-hot vectors, fitted by least squares, and their cases."""

import numpy as np

from headway.tasks.engine.compare import close
from headway.tasks.engine.requirements import arguments_kept
from headway.tasks.engine.task import Case
from headway.text.categories import SPREAD, car_prices

TARGET = 2_000.0
TO_THE_DOLLAR = close(atol=1.0, rtol=0)
LETTERS = list("ABCDEFGHIJKLMNOPQRSTUVWXYZ")


def predict_by_code(makers, prices, new_makers):
    """Least-squares line over alphabetical label codes."""
    names = sorted(set(makers))
    codes = [names.index(maker) for maker in makers]
    slope, start = np.polyfit(codes, prices, 1)
    return start + slope * np.array([names.index(maker) for maker in new_makers])


def predict_by_one_hot(makers, prices, new_makers):
    """Least squares on one-hot vectors: one price for each maker; the mean of all for others."""
    names = sorted(set(makers))
    one_hots = np.equal.outer(makers, names).astype(float)
    weights, *_ = np.linalg.lstsq(one_hots, prices, rcond=None)
    predicted = np.equal.outer(new_makers, names) @ weights
    return np.where(np.isin(new_makers, names), predicted, np.mean(prices))


def mean_for_all(makers, prices, new_makers):
    return np.full(len(new_makers), np.mean(prices))


def price_cases(rng: np.random.Generator) -> list[Case]:
    """New cars of eight makers, and of three among seven."""
    cases = []
    for label, keep in (("new cars of all makers", None), ("new cars of three makers only", 3)):
        makers, prices = car_prices(rng, 500)
        old, new = (makers[:300], prices[:300]), (makers[300:], prices[300:])
        if keep:
            first, _, *others = sorted(set(makers))
            old, new = _cars_of([first, *others], *old), _cars_of(others[-keep:], *new)
        new_makers, truth = new
        cases.append(Case(label, *old, new_makers, truth=truth, core=not keep))
    few = ["Kia", "Fiat", "Kia", "VW", "Fiat"]
    return [*cases, arguments_kept(few, rng.uniform(15_000, 60_000, 5), ["VW", "Fiat"])]


def _cars_of(kept, makers, prices):
    chosen = [maker in kept for maker in makers]
    return [maker for maker in makers if maker in kept], prices[chosen]


def exact_price_cases(rng: np.random.Generator) -> list[Case]:
    """The same, and two that only the model asked for gets right, to the dollar."""
    first, second, arguments = price_cases(rng)
    second.compare = TO_THE_DOLLAR
    makers, prices = car_prices(rng, 100)
    unknown = ["Skoda", makers[0], "BMW", makers[1], "Zagato"]
    names = ["".join(rng.choice(LETTERS, 4)) for _ in range(40)]
    ids = np.tile(np.arange(40), 6)[rng.permutation(240)]
    many = rng.uniform(15_000, 60_000, 40)[ids] + SPREAD * rng.standard_normal(240)
    return [
        first,
        second,
        Case("makers that no car was fitted on", makers, prices, unknown, compare=TO_THE_DOLLAR),
        Case(
            "forty makers with six cars each",
            [names[i] for i in ids],
            many,
            [names[i] for i in rng.permutation(40)],
            compare=TO_THE_DOLLAR,
        ),
        arguments,
    ]


def rmse(predicted: np.ndarray, case: Case) -> float:
    """Root of the mean squared error on the held-out cars, in dollars."""
    return float(np.sqrt(np.mean((predicted - case.truth) ** 2)))
