"""Train: a price model on one-hot vectors, fitted by least squares."""

from headway.tasks.chapters.one_hot.mistakes import (
    IDS_MADE_TWICE,
    MEAN_FOR_ALL,
    OTHER_MODEL,
)
from headway.tasks.chapters.one_hot.prices import (
    TARGET,
    mean_for_all,
    predict_by_code,
    predict_by_one_hot,
    price_cases,
    rmse,
)
from headway.tasks.engine.compare import at_most, close
from headway.tasks.engine.mistakes import Misconception, changed
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
        OTHER_MODEL.by(predict_by_code),
        IDS_MADE_TWICE.by(
            changed(predict_by_one_hot, "return", "names = sorted(set(new_makers))\n    return"),
            changed(predict_by_one_hot, "(makers, names)", "(makers, list(dict.fromkeys(makers)))"),
        ),
        MEAN_FOR_ALL.by(mean_for_all),
        Misconception(
            "sum-for-mean",
            changed(
                predict_by_one_hot,
                "weights, *_ = np.linalg.lstsq(one_hots, prices, rcond=None)",
                "weights = prices @ one_hots",
            ),
            "You predict what all cars of a maker cost together. What does one cost?",
        ),
    ),
    compare=at_most(rmse, "The held-out error (RMSE, in dollars)", lambda case: TARGET),
    alike=close(atol=0.5),
)
