"""Train: a stack of twelve blocks learns, if its sub-layers are put into the stream rightly."""

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from headway.tasks.chapters.block.deep_model import PLACES_OF_NORMS, Deep, by_hand, texts
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.duties import arguments_kept
from headway.tasks.engine.mistakes import AnyOf, Misconception, any_of
from headway.tasks.engine.task import Case, Task

TARGET = 0.1  # nats a token
STEPS, RATE, BATCH = 200, 3e-3, 16
FORM = (
    "two things are asked for: a dictionary of keep, add and norm, and the state_dict of the Deep "
    "that was trained with it."
)
OTHER_SIZES = "the weights are those of a Deep with another number of blocks, or of words."
PRE_NORM = {"keep": 1.0, "add": 1.0, "norm": "before"}
SUMS = {"keep": 1.0, "add": 1.0, "norm": None}


def loss_of(model: Deep, ids: Tensor, answers: Tensor) -> Tensor:
    """Mean cross-entropy of the answers (B, T − 1), at every place but the first."""
    return functional.cross_entropy(model(ids)[:, 1:].flatten(0, 1), answers.flatten())


def trained(
    ids: Tensor,
    answers: Tensor,
    words: int,
    depth: int,
    arrangement=PRE_NORM,
    steps=STEPS,
    rate=RATE,
):
    """The arrangement, and the weights after some steps of Adam."""
    model = Deep(words, depth, **arrangement)
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    for _ in range(steps):
        rows = torch.randint(len(ids), (BATCH,))
        loss = loss_of(model, ids[rows], answers[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return arrangement, model.state_dict()


def cases(rng: np.random.Generator) -> list[Case]:
    def draw(label, depth, low, high, core=False):
        words = int(rng.integers(low, high))
        partner = torch.from_numpy(rng.permutation(words))
        known, new = texts(rng, 4_000, words), texts(rng, 150, words)
        answers = partner[known[:, :-1]]
        return Case(label, known, answers, words, depth, truth=(new, partner), core=core)

    few = texts(rng, 100, 5)
    return [
        draw("twelve blocks", 12, 13, 17, core=True),
        draw("three blocks, fewer words", 3, 7, 11),
        arguments_kept(few, 4 - few[:, :-1], 5, 1),
    ]


class Symptoms(NamedTuple):
    """How a returned model does on new texts.

    Attributes:
        loss: nats a token.
        accuracy: the share of places at which the answer is the likeliest.
        another: the share of places at which another token is, always of one kind: the previous
            one, the one itself, or its partner.
        keep: how much of the stream passes by a sub-layer, as the answer says.
        norm: where its norm stands.
    """

    loss: float
    accuracy: float
    another: float
    keep: float
    norm: str | None


def examine(got, case: Case) -> Symptoms | str:
    """What the returned model does on the case's new texts, or what is wrong with its form."""
    _, _, words, depth = case.inputs
    try:
        arrangement, weights = got
        keep, add, norm = (arrangement[name] for name in ("keep", "add", "norm"))
        with torch.device("meta"):  # no numbers are drawn that would be replaced at once
            model = Deep(words, depth, float(keep), float(add), norm)
        loaded = {name: torch.as_tensor(w).float() for name, w in weights.items()}
    except (TypeError, ValueError, KeyError, AttributeError, RuntimeError):
        return FORM
    if norm not in PLACES_OF_NORMS or not isinstance(weights, Mapping):
        return FORM
    try:
        model.load_state_dict(loaded, assign=True)
    except RuntimeError:
        return OTHER_SIZES
    ids, partner = case.truth
    with torch.no_grad():
        logits = model(ids)[:, 1:]
    loss = functional.cross_entropy(logits.flatten(0, 1), partner[ids[:, :-1]].flatten()).item()
    likeliest = logits.argmax(dim=-1)
    accuracy, *others = (
        (likeliest == tokens).float().mean().item()
        for tokens in (partner[ids[:, :-1]], ids[:, :-1], ids[:, 1:], partner[ids[:, 1:]])
    )
    return Symptoms(loss, accuracy, max(others), abs(float(keep)), norm)


def gives_back(got, expected, case) -> Difference | None:
    """Whether the loss on new texts reaches the target."""
    found = examine(got, case)
    if isinstance(found, str):
        return Difference(found)
    if found.loss <= TARGET:
        return None
    return Difference(
        f"on new texts the loss is {found.loss:.3f} nats a token; at most {TARGET} is asked. "
        f"Of the answers, {found.accuracy:.0%} are the likeliest token; a guess costs "
        f"{math.log(case.inputs[2]):.2f} nats."
    )


def diagnosis(got, case: Case) -> str:
    """What a returned model shows: "right", or a kind of failure."""
    found = examine(got, case)
    if isinstance(found, str):
        return found
    guess = math.log(case.inputs[2])
    if found.loss <= TARGET:
        return "right"
    if found.another > 0.5 > found.accuracy:
        return "another token"
    if found.loss < 0.85 * guess or found.accuracy > 0.5:
        return "half-way"
    if found.keep < 0.2:
        return "no way around"
    if found.norm == "after":
        return "norms on the way"
    return "sums without a norm" if found.norm is None else "not trained"


def alike(got, expected, case) -> Difference | None:
    """Whether two answers are both right, or fail in the same way."""
    same = diagnosis(got, case) == diagnosis(expected, case)
    return None if same else Difference("they fail in different ways.")


def partners(ids: Tensor, answers: Tensor, words: int) -> Tensor:
    """The partner of each token, (V,), as the answers show it."""
    partner = torch.zeros(words, dtype=torch.int64)
    partner[ids[:, :-1]] = answers
    return partner


def by_hand_answer(ids, answers, words, depth):
    """A right answer that needs no training."""
    return SUMS, by_hand(partners(ids, answers, words), depth)


def _untrained(keep: float, norm: str | None):
    """Logits that are all zero, so a guess, in an arrangement."""

    def answer(ids, answers, words, depth):
        weights = by_hand(torch.arange(words), depth, sharp=0.0)
        return {"keep": keep, "add": 1.0, "norm": norm}, weights

    return answer


def _half(ids, answers, words, depth):
    """Not sure enough of any token."""
    return SUMS, by_hand(partners(ids, answers, words), depth, sharp=0.3)


def known_in_part(wrong, *few) -> AnyOf:
    """The wrong answer as it is; and others in its place where there are few blocks."""

    def but_for_few(other):
        return lambda *given: (wrong if given[-1] > 6 else other)(*given)

    return AnyOf([wrong, *map(but_for_few, few)])


def guessing(keep: float, norm: str | None) -> AnyOf:
    """A guess in an arrangement; with few blocks, it may learn or begin to."""
    return known_in_part(_untrained(keep, norm), _half, by_hand_answer)


deep_task = Task(
    id="10-block/deep",
    title="Make twelve blocks learn",
    kind="train",
    points=5,
    minutes=35,
    answer="learn_deep",
    cases=cases,
    reference=by_hand_answer,
    misconceptions=(
        Misconception(
            "no-way-around",
            guessing(0.0, None),
            "Your loss is that of a guess, and nothing of what a sub-layer reads comes out beside "
            "its result. Through how many sub-layers does a word have to get? Compare a token "
            "above an untrained stack with the same token below it: what is left?",
        ),
        Misconception(
            "norms-on-the-way",
            guessing(1.0, "after"),
            "Your loss is that of a guess. There is a way around every sub-layer, and on it "
            "stands a norm after each sum. Here an update is larger than what it is added to: "
            "what share of the word is left after twenty-four such sums? Is there a place for the "
            "norm, a size of the updates or of the first steps with which more is left?",
        ),
        Misconception(
            "sums-without-a-norm",
            guessing(1.0, None),
            "Your loss is that of a guess. There is a way around every sub-layer, and each reads a "
            "stream that all before it have made larger, and answers the louder. How large are the "
            "numbers of the stream after every block? What would keep an update from growing with "
            "them?",
        ),
        Misconception(
            "not-trained",
            guessing(1.0, "before"),
            "Your loss is that of a guess, in an arrangement that can learn. Do the numbers move "
            "at all, and are they those of the model that you trained? If they do: are the steps "
            "too long, and does each go by the slopes of its own batch alone? Which answer belongs "
            "to which place?",
        ),
        Misconception(
            "another-token",
            any_of(
                lambda ids, answers, words, depth: (SUMS, by_hand(torch.arange(words), depth)),
                lambda ids, answers, words, depth: (
                    SUMS,
                    by_hand(partners(ids, answers, words), depth, back=0),
                ),
            ),
            "Your model is sure of a token at each place, and it is another one than asked: the "
            "one before it, the one itself, or its partner. Which argument holds the answers, and "
            "which place is the first of them for?",
        ),
        Misconception(
            "half-trained",
            known_in_part(_half, by_hand_answer),
            "Your model gives back a part of the tokens, or is not yet sure of them. Is the loss "
            "still falling at the end: were there enough steps, and were they too short to arrive "
            "or too long to settle? Did it see other texts at each step?",
        ),
        Misconception(
            "another-stack",
            any_of(
                lambda ids, answers, words, depth: by_hand_answer(ids, answers, words, 12),
                lambda ids, answers, words, depth: by_hand_answer(ids, answers, words, 2),
                lambda ids, answers, words, depth: by_hand_answer(ids, answers, 16, depth),
            ),
            "Your weights do not fit the stack that is asked for. Which two arguments say how many "
            "blocks it has, and how many different tokens?",
        ),
    ),
    compare=gives_back,
    alike=alike,
)
