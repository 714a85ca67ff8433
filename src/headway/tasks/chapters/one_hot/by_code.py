"""Train: a price model on label codes, fitted by least squares."""

import numpy as np

from headway.tasks.chapters.one_hot.prices import (
    _codes,
    _fit,
    _line,
    predict_by_code,
    predict_by_one_hot,
    price_cases,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Task


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
