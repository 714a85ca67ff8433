"""Train: whether a review is positive, which its second clause says, wherever its words stand."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from headway.tasks.chapters.masked_model.mistakes import PADDING_POOLED, PADDING_SEEN
from headway.tasks.chapters.masked_model.sentiment_model import (
    COLUMNS,
    PLACES,
    POOLS,
    SEES,
    Reader,
    by_hand,
    draw_reviews,
    draw_vocabulary,
    fill,
)
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.mistakes import seen
from headway.tasks.engine.task import Case, Task

TARGET = 0.97
OTHERWISE_FILLED = "new reviews, filled up to 48 columns, on the right and on the left"
NEW = 600
MANY, FEWER = 4_000, 3_000  # reviews to learn from, in the first case and in the second
STEPS, RATE, BATCH = 500, 3e-3, 64
RIGHT = {"places": "v", "sees": "all v", "pool": "mean of v"}
FORM = (
    "two things are asked for: a dictionary of places, sees and pool with values that the text "
    "names, and the state_dict of the Reader that was trained with it."
)
OTHER_SIZES = "the weights are not those of a Reader with as many words as the vocabulary has."


def trained(ids: Tensor, positive: Tensor, vocabulary, arrangement=RIGHT, steps=STEPS, rate=RATE):
    """The arrangement, and the weights after some steps of Adam."""
    model = Reader(len(vocabulary), **arrangement)
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    for _ in range(steps):
        rows = torch.randint(len(ids), (BATCH,))
        loss = functional.cross_entropy(model(ids[rows]), positive[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return arrangement, model.state_dict()


def cases(rng: np.random.Generator) -> list[Case]:
    def draw(label, count, fillings, core=False):
        vocabulary = draw_vocabulary(rng)
        rows, positive = draw_reviews(rng, count, vocabulary)
        new, answers = draw_reviews(rng, NEW, vocabulary)
        longest = max(map(len, [*rows, *new]))
        filled = [fill(new, width or longest, left) for width, left in fillings]
        truth = filled, answers
        return Case(label, fill(rows, longest), positive, vocabulary, truth=truth, core=core)

    return [
        draw("new reviews, filled up like those of training", MANY, [(None, False)], core=True),
        draw(
            OTHERWISE_FILLED,
            FEWER,
            [(COLUMNS, False), (COLUMNS, True)],
        ),
    ]


class Symptoms(NamedTuple):
    """How a returned model does on new reviews.

    Attributes:
        accuracy: the share of right answers, in the filling where it is least.
        places, sees, pool: the arrangement.
    """

    accuracy: float
    places: str | None
    sees: str
    pool: str


def examine(got, case: Case) -> Symptoms | str:
    """What the returned model does on the case's new reviews, or what is wrong with its form."""
    try:
        arrangement, weights = got
        places, sees, pool = (arrangement[name] for name in ("places", "sees", "pool"))
        if places not in PLACES or sees not in SEES or pool not in POOLS:
            return FORM
        if not isinstance(weights, Mapping):
            return FORM
        loaded = {name: torch.as_tensor(w).float() for name, w in weights.items()}
    except (TypeError, ValueError, KeyError, RuntimeError):
        return FORM
    model = Reader(len(case.inputs[2]), places, sees, pool)
    try:
        model.load_state_dict(loaded)
    except RuntimeError:
        return OTHER_SIZES
    filled, answers = case.truth
    with torch.no_grad():
        right = [(model(ids).argmax(1) == answers).float().mean().item() for ids in filled]
    return Symptoms(min(right), places, sees, pool)


def reads_reviews(got, expected, case) -> Difference | None:
    """Whether the share of right answers on new reviews reaches the target in every filling."""
    found = examine(got, case)
    if isinstance(found, str):
        return Difference(found)
    if found.accuracy >= TARGET:
        return None
    return Difference(
        f"of {NEW} new reviews, {found.accuracy:.1%} are judged rightly; at least {TARGET:.0%} is "
        "asked, and half are right by chance."
    )


def learn_sentiment(ids, positive, vocabulary):
    """A right answer that needs no training."""
    return RIGHT, by_hand(vocabulary)


def reviews_show(shows: Callable[[Symptoms, bool], bool]):
    """By how a returned model does: shows(symptoms, whether it is the core case)."""

    def shown(got, expected, case) -> bool:
        found = examine(got, case)
        return isinstance(found, Symptoms) and shows(found, case.core)

    return shown


def by_chance(found: Symptoms) -> bool:
    return 0.4 < found.accuracy < 0.6


sentiment_task = Task(
    id="12-masked-model/sentiment",
    title="Is a review positive?",
    kind="train",
    points=5,
    minutes=30,
    answer="learn_sentiment",
    cases=cases,
    reference=learn_sentiment,
    misconceptions=(
        seen(
            "another-reader",
            "Your weights do not fit the model that is asked for. How many different tokens does "
            "it have to know, and is the padding one of them?",
            lambda got, expected, case: examine(got, case) == OTHER_SIZES,
        ),
        seen(
            "no-arrangement-or-no-weights",
            "A model can't be made of what you return. Which two things are asked for, and which "
            "values may the first have?",
            lambda got, expected, case: examine(got, case) == FORM,
        ),
        seen(
            "classes-swapped",
            "Nearly all of your answers are wrong, so your model knows them. Which of its two "
            "logits stands for a positive review?",
            reviews_show(lambda found, core: found.accuracy < 0.08),
        ),
        seen(
            "first-word-sees-nothing",
            "What you pool is the first token, and all that it has seen is itself. Which token of "
            "such a text has seen all the others?",
            reviews_show(
                lambda found, core: (
                    found.sees.startswith("earlier") and found.pool.startswith("first")
                )
            ),
        ),
        seen(
            "order-unseen",
            "To your model, texts are nearly bags of words. Do the two clauses differ in which "
            "words they have, or in something else?",
            reviews_show(lambda found, core: found.places is None),
        ),
        seen(
            "columns-counted",
            "This is right as long as a text begins in the first column. Which position does its "
            "first word have when it is filled up on the left?",
            reviews_show(lambda found, core: found.places == "u" and not core),
        ),
        PADDING_POOLED.by(
            shows=reviews_show(
                lambda found, core: found.pool.endswith("u") and not (core and by_chance(found))
            )
        ),
        PADDING_SEEN.by(
            shows=reviews_show(
                lambda found, core: found.sees.endswith("u") and not (core and by_chance(found))
            )
        ),
        seen(
            "half-trained",
            "Most reviews are judged rightly, in an arrangement that can do better. Is the loss "
            "still falling at the end, or does one token have to find everything in a single "
            "look?",
            reviews_show(lambda found, core: not (core and by_chance(found))),
            only_at=(OTHERWISE_FILLED,),
        ),
        seen(
            "not-trained",
            "Half of the reviews are judged rightly, as by chance. Do the weights that you return "
            "follow from the losses of reviews and their own answers?",
            reviews_show(lambda found, core: not core or by_chance(found)),
        ),
    ),
    compare=reads_reviews,
)
