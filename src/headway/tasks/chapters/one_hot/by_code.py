"""Train: a price model on label codes, fitted by least squares."""

from headway.tasks.chapters.one_hot.mistakes import (
    IDS_MADE_TWICE,
    IDS_NOT_SORTED,
    MEAN_FOR_ALL,
    OTHER_MODEL,
    REPEATS_COUNTED,
)
from headway.tasks.chapters.one_hot.prices import (
    mean_for_all,
    predict_by_code,
    predict_by_one_hot,
    price_cases,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Task

LINE = "np.polyfit(codes, prices, 1)"
FROM_THE_ORIGIN = "np.dot(codes, prices) / np.dot(codes, codes), 0"

by_code = Task(
    id="01-one-hot/by-code",
    title="Prices from label codes",
    kind="train",
    points=2,
    minutes=8,
    answer="predict_by_code",
    cases=price_cases,
    reference=predict_by_code,
    misconceptions=(
        Misconception(
            "start-and-slope-confused",
            any_of(
                changed(predict_by_code, LINE, FROM_THE_ORIGIN),
                changed(
                    *changed(predict_by_code, "sorted(set(makers))", '["", *sorted(set(makers))]'),
                    LINE,
                    FROM_THE_ORIGIN,
                ),
                changed(predict_by_code, "return start + slope", "return slope"),
                changed(predict_by_code, "slope, start =", "start, slope ="),
            ),
            "Your line starts in the wrong place: at 0, or at its own slope. What does a line "
            "need besides a slope, and in which order does the fit return the two?",
        ),
        IDS_NOT_SORTED.by(
            changed(predict_by_code, "sorted(set(makers))", "list(dict.fromkeys(makers))")
        ),
        REPEATS_COUNTED.by(changed(predict_by_code, "sorted(set(makers))", "sorted(makers)")),
        IDS_MADE_TWICE.by(
            changed(predict_by_code, "return", "names = sorted(set(new_makers))\n    return")
        ),
        MEAN_FOR_ALL.by(mean_for_all),
        OTHER_MODEL.by(predict_by_one_hot),
    ),
    compare=close(atol=0.5),
)
