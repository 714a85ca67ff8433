"""Train: whether a review is positive, which its second clause says, wherever its words stand."""

from collections.abc import Mapping
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
from headway.tasks.engine.mistakes import AnyOf, Misconception, any_of
from headway.tasks.engine.task import Case, Task
from headway.text.corpus.sentiment import BAD, GOOD

TARGET = 0.97
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
            "new reviews, filled up to 48 columns, on the right and on the left",
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


def diagnosis(got, case: Case) -> str:
    """What a returned model shows: "right", or a kind of failure."""
    found = examine(got, case)
    if isinstance(found, str):
        return found
    accuracy, places, sees, pool = found
    if accuracy >= TARGET:
        return "right"
    if accuracy < 1 - TARGET + 0.05:
        return "upside down"
    if sees.startswith("earlier") and pool.startswith("first"):
        return "nothing behind"
    if places is None:
        return "order unseen"
    if case.core and 0.4 < accuracy < 0.6:
        return "not trained"
    if places == "u" and not case.core:
        return "columns counted"
    if pool.endswith("u"):
        return "padding pooled"
    if sees.endswith("u"):
        return "padding seen"
    return "not trained" if 0.4 < accuracy < 0.6 else "half-way"


def alike(got, expected, case) -> Difference | None:
    """Whether two answers are both right, or fail in the same way."""
    same = diagnosis(got, case) == diagnosis(expected, case)
    return None if same else Difference("they fail in different ways.")


def learn_sentiment(ids, positive, vocabulary):
    """A right answer that needs no training."""
    return RIGHT, by_hand(vocabulary)


def _nothing(vocabulary):
    """Weights that say nothing of any text."""
    return {name: 0 * value for name, value in by_hand(vocabulary).items()}


def _half(vocabulary):
    """Weights that know half of the adjectives."""
    return by_hand(vocabulary, (*GOOD[:3], *BAD[:3]))


def _turned(vocabulary):
    """Weights that take the one class for the other."""
    weights = by_hand(vocabulary)
    return {name: -w if name.startswith("logits") else w for name, w in weights.items()}


def _shows(first, second, **other):
    """Weights for the first case and for the second, in an arrangement that differs from RIGHT."""
    return lambda ids, positive, vocabulary: (
        RIGHT | other,
        (first if len(ids) == MANY else second)(vocabulary),
    )


def both(**other) -> AnyOf:
    """An arrangement that fails with new fillings, and perhaps with that of training, too."""
    return any_of(_shows(by_hand, _nothing, **other), _shows(_half, _nothing, **other))


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
        Misconception(
            "order-unseen",
            _shows(_nothing, _nothing, places=None),
            "To your model, texts are nearly bags of words. Do the two clauses differ in which "
            "words they have, or in something else?",
        ),
        Misconception(
            "first-word-sees-nothing",
            any_of(
                *(
                    _shows(_nothing, _nothing, places=places, sees="earlier v", pool="first of v")
                    for places in ("v", None)
                )
            ),
            "What you pool is the first token, and all that it has seen is itself. Which token of "
            "such a text has seen all the others?",
        ),
        Misconception(
            "columns-counted",
            both(places="u"),
            "This is right as long as a text begins in the first column. Which position does its "
            "first word have when it is filled up on the left?",
        ),
        PADDING_POOLED.by(both(pool="mean of u")),
        PADDING_SEEN.by(both(sees="all u")),
        Misconception(
            "not-trained",
            any_of(
                _shows(_nothing, _nothing),
                *(
                    _shows(_nothing, _nothing, places="u", **other)
                    for other in ({}, {"sees": "all u", "pool": "mean of u"})
                ),
                _shows(_nothing, _nothing, pool="mean of u"),
                _shows(_nothing, _nothing, sees="all u"),
            ),
            "Half of the reviews are judged rightly, as by chance. Do the weights that you return "
            "follow from the losses of reviews and their own answers?",
        ),
        Misconception(
            "half-trained",
            any_of(_shows(_half, _half), _shows(by_hand, _half), _shows(_half, by_hand)),
            "Most reviews are judged rightly, in an arrangement that can do better. Is the loss "
            "still falling at the end, or does one token have to find everything in a single "
            "look?",
        ),
        Misconception(
            "classes-swapped",
            _shows(_turned, _turned),
            "Nearly all of your answers are wrong, so your model knows them. Which of its two "
            "logits stands for a positive review?",
        ),
        Misconception(
            "another-reader",
            any_of(
                lambda ids, positive, vocabulary: (RIGHT, by_hand(vocabulary[:-1])),
                lambda ids, positive, vocabulary: (RIGHT, by_hand(vocabulary + vocabulary[:1])),
            ),
            "Your weights do not fit the model that is asked for. How many different tokens does "
            "it have to know, and is the padding one of them?",
        ),
    ),
    compare=reads_reviews,
    alike=alike,
)
