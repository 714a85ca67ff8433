"""Price models on label codes and on one-hot vectors, fitted by least squares."""

import numpy as np

from headway.tasks.engine.task import Case
from headway.text.categories import car_prices

TARGET = 2_000.0


def _fit(features, prices, new_features):
    weights, *_ = np.linalg.lstsq(features, prices, rcond=None)
    return new_features @ weights


def _codes(makers, names):
    return np.array([names.index(maker) for maker in makers], dtype=float)


def _line(codes, prices, new_codes):
    def features(x):
        return np.stack([np.ones(len(x)), x], axis=1)

    return _fit(features(codes), prices, features(new_codes))


def predict_by_code(makers, prices, new_makers):
    """Least-squares line over alphabetical label codes."""
    names = sorted(set(makers))
    return _line(_codes(makers, names), prices, _codes(new_makers, names))


def predict_by_one_hot(makers, prices, new_makers):
    """Least squares on one-hot vectors: one price for each maker."""
    names = sorted(set(makers))
    return _by_one_hot(makers, prices, new_makers, names, names)


def _by_one_hot(makers, prices, new_makers, names, new_names):
    one_hots = np.equal.outer(makers, names).astype(float)
    new_one_hots = np.equal.outer(new_makers, new_names).astype(float)
    return _fit(one_hots, prices, new_one_hots)


def price_cases(rng: np.random.Generator) -> list[Case]:
    cases = []
    for label, keep in (("new cars of all makers", None), ("new cars of three makers only", 3)):
        makers, prices = car_prices(rng, 500)
        new_makers, truth = makers[300:], prices[300:]
        if keep:
            kept = sorted(set(makers))[-keep:]
            truth = truth[[maker in kept for maker in new_makers]]
            new_makers = [maker for maker in new_makers if maker in kept]
        cases.append(
            Case(label, makers[:300], prices[:300], new_makers, truth=truth, core=not keep)
        )
    return cases


def rmse(predicted: np.ndarray, case: Case) -> float:
    """Root of the mean squared error on the held-out cars, in dollars."""
    return float(np.sqrt(np.mean((predicted - case.truth) ** 2)))
