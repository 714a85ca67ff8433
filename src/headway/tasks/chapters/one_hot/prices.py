"""Train: price models on label codes and on one-hot vectors, fitted by least squares."""

import numpy as np

from headway.tasks.engine.compare import at_most, close
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task
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


def _first_seen_codes(makers, prices, new_makers):
    names = list(dict.fromkeys(makers))
    return _line(_codes(makers, names), prices, _codes(new_makers, names))


def _own_codes(makers, prices, new_makers):
    codes = _codes(makers, sorted(set(makers)))
    return _line(codes, prices, _codes(new_makers, sorted(set(new_makers))))


def _through_origin(makers, prices, new_makers):
    names = sorted(set(makers))
    codes, new_codes = _codes(makers, names), _codes(new_makers, names)
    return _fit(codes[:, None], prices, new_codes[:, None])


def _swapped(makers, prices, new_makers):
    """Intercept and slope taken for each other."""
    names = sorted(set(makers))
    slope, intercept = np.polyfit(_codes(makers, names), prices, 1)
    return slope + intercept * _codes(new_makers, names)


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


by_code = Task(
    id="01-one-hot/by-code",
    title="Prices from label codes",
    kind="train",
    points=2,
    minutes=10,
    answer="predict_by_code",
    cases=price_cases,
    reference=predict_by_code,
    misconceptions=(
        Misconception(
            "through-the-origin",
            _through_origin,
            "Your line passes through (0, 0): the maker with code 0 costs nothing. What does a "
            "line need besides its slope?",
        ),
        Misconception(
            "slope-for-intercept",
            _swapped,
            "Your line starts at what should be its slope and climbs by what should be its start. "
            "In which order does the fit return the two?",
        ),
        Misconception(
            "first-seen-codes",
            _first_seen_codes,
            "Your codes follow the order of the rows. Shuffle the cars: do the prices change?",
        ),
        Misconception(
            "codes-made-twice",
            _own_codes,
            "You number the makers of the new cars afresh. Does code 0 still mean the same maker?",
        ),
        Misconception(
            "mean-for-all",
            lambda makers, prices, new: np.full(len(new), np.mean(prices)),
            "Every car gets the mean price: your prediction does not use the maker at all.",
        ),
        Misconception(
            "one-hot-instead",
            predict_by_one_hot,
            "These are the predictions of the next task's model. Here the maker is one number.",
        ),
    ),
    compare=close(atol=0.5),
)

by_one_hot = Task(
    id="01-one-hot/by-one-hot",
    title="Prices from one-hot vectors",
    kind="train",
    points=3,
    minutes=10,
    answer="predict_by_one_hot",
    cases=price_cases,
    reference=predict_by_one_hot,
    misconceptions=(
        Misconception(
            "still-codes",
            predict_by_code,
            "These are the predictions of a straight line over label codes. How many weights does "
            "your model have, and how many makers are there?",
        ),
        Misconception(
            "one-hot-made-twice",
            lambda makers, prices, new: _by_one_hot(
                makers, prices, new, sorted(set(makers)), sorted(set(new))
            ),
            "You build the vocabulary of the new cars afresh, so a maker's place in the vector is "
            "another one than in training.",
        ),
        Misconception(
            "mixed-order",
            lambda makers, prices, new: _by_one_hot(
                makers, prices, new, list(dict.fromkeys(makers)), sorted(set(makers))
            ),
            "Training and prediction list the makers in different orders: each car gets another "
            "maker's price.",
        ),
        Misconception(
            "mean-for-all",
            lambda makers, prices, new: np.full(len(new), np.mean(prices)),
            "Every car gets the mean price: your prediction does not use the maker at all.",
        ),
        Misconception(
            "sum-for-mean",
            lambda makers, prices, new: np.array(
                [sum(p for m, p in zip(makers, prices, strict=True) if m == x) for x in new]
            ),
            "You predict what all cars of a maker cost together. What does one cost?",
        ),
    ),
    compare=at_most(rmse, "The held-out error (RMSE, in dollars)", lambda case: TARGET),
    alike=close(atol=0.5),
)
