"""Train: a price model on one-hot vectors, fitted by least squares."""

import numpy as np

from headway.tasks.chapters.one_hot.mistakes import (
    IDS_MADE_TWICE,
    MEAN_FOR_ALL,
    OTHER_MODEL,
    UNKNOWN_DROPPED,
    UNKNOWN_RAISES,
    UNKNOWN_SHARES_AN_ID,
)
from headway.tasks.chapters.one_hot.prices import (
    TARGET,
    exact_price_cases,
    mean_for_all,
    predict_by_code,
    predict_by_one_hot,
    rmse,
)
from headway.tasks.engine.compare import at_most, close
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Task


def _of_each_maker(number, of_all=None):
    """Predicts a number of the maker's own prices; for others the same of all, or another one."""

    def predict(makers, prices, new_makers):
        makers = np.array(makers)
        own = [prices[makers == maker] for maker in new_makers]
        return np.array([number(p) if p.size else (of_all or number)(prices) for p in own])

    return predict


def _polynomial(degree):
    """Predicts with a polynomial over label codes; for other makers the mean of all prices."""

    def predict(makers, prices, new_makers):
        names, codes = np.unique(makers, return_inverse=True)
        curve = np.polyfit(codes, prices, min(degree, len(names) - 1))
        codes = np.searchsorted(names, new_makers)
        return np.where(np.isin(new_makers, names), np.polyval(curve, codes), prices.mean())

    return predict


def _middle(prices):
    return (prices.min() + prices.max()) / 2


def _geometric_mean(prices):
    return np.exp(np.log(prices).mean())


UNKNOWN = "np.where(np.isin(new_makers, names), predicted, np.mean(prices))"
WEIGHTS = "weights, *_ = np.linalg.lstsq(one_hots, prices, rcond=None)"

(nothing_for_unknown,) = changed(predict_by_one_hot, UNKNOWN, "predicted")

by_one_hot = Task(
    id="01-one-hot/by-one-hot",
    title="Prices from one-hot vectors",
    kind="train",
    points=3,
    minutes=15,
    answer="predict_by_one_hot",
    cases=exact_price_cases,
    reference=predict_by_one_hot,
    misconceptions=(
        OTHER_MODEL.by(predict_by_code, *(_polynomial(degree) for degree in (1, 2, 3, 5, 7, 39))),
        IDS_MADE_TWICE.by(
            *(
                changed(
                    reference,
                    "predicted = np.equal",
                    "names = sorted(set(new_makers))\n    predicted = np.equal",
                )
                for reference in (predict_by_one_hot, nothing_for_unknown)
            ),
            changed(predict_by_one_hot, "(makers, names)", "(makers, list(dict.fromkeys(makers)))"),
        ),
        MEAN_FOR_ALL.by(mean_for_all),
        Misconception(
            "another-number-for-mean",
            any_of(
                changed(predict_by_one_hot, WEIGHTS, "weights = prices @ one_hots"),
                changed(nothing_for_unknown, WEIGHTS, "weights = prices @ one_hots"),
                *map(_of_each_maker, (np.median, _middle, _geometric_mean, np.min, np.max)),
                _of_each_maker(np.median, np.mean),
                *(_of_each_maker(np.mean, of_all) for of_all in (np.median, _middle)),
                nothing_for_unknown,
                changed(
                    predict_by_one_hot,
                    "np.mean(prices))",
                    "np.nan)",
                    "np.mean(weights))",
                    "np.sum(weights) / (len(names) + 1))",
                ),
            ),
            "Some makers, known or unknown, don't get the price that least squares gives. From "
            "which number are the squared distances to all the prices smallest?",
        ),
        UNKNOWN_SHARES_AN_ID.by(
            changed(
                predict_by_one_hot,
                "np.mean(prices))",
                "weights[0])",
                "weights[-1])",
                "weights[np.minimum(np.searchsorted(names, new_makers), len(names) - 1)])",
            )
        ),
        UNKNOWN_RAISES.by(
            changed(
                predict_by_one_hot, UNKNOWN, "weights[[names.index(maker) for maker in new_makers]]"
            )
        ),
        UNKNOWN_DROPPED.by(
            changed(predict_by_one_hot, UNKNOWN, "predicted[np.isin(new_makers, names)]")
        ),
    ),
    compare=at_most(rmse, "The held-out error (RMSE, in dollars)", lambda case: TARGET),
    alike=close(atol=0.5),
)
