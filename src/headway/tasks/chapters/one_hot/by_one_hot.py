"""Train: a price model on one-hot vectors, fitted by least squares."""

import numpy as np

from headway.tasks.chapters.one_hot.prices import (
    TARGET,
    _by_one_hot,
    predict_by_code,
    predict_by_one_hot,
    price_cases,
    rmse,
)
from headway.tasks.engine.compare import at_most, close
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Task

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
