"""Train: a stack whose sub-layers are too loud learns, if they are put into the stream rightly."""

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from headway.tasks.chapters.block.deep_model import Deep, by_hand, texts
from headway.tasks.chapters.block.mistakes import SKIP_MISSING
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.mistakes import Shows, seen
from headway.tasks.engine.requirements import arguments_kept
from headway.tasks.engine.task import Case, Task

TARGET = 0.1  # nats a token
STEPS, RATE, BATCH = 200, 3e-3, 16
FORM = (
    "two things are asked for: a dictionary of keep, add and norm, and the state_dict of the Deep "
    "that was trained with it."
)
OTHER_SIZES = "the weights are those of a Deep with another number of blocks, or of words."
SMALL_UPDATES = {"keep": 1.0, "add": 0.01, "norm": True}
LOUD = 0.04  # from this part of what it is added to, an untrained stack's update is too much
QUIET = 0.00015  # below this part of it, 200 steps are not enough to be heard


def loss_of(model: Deep, ids: Tensor, answers: Tensor) -> Tensor:
    """Mean cross-entropy of the answers (B, T − 1), at every place but the first."""
    return functional.cross_entropy(model(ids)[:, 1:].flatten(0, 1), answers.flatten())


def trained(
    ids: Tensor,
    answers: Tensor,
    words: int,
    depth: int,
    arrangement=SMALL_UPDATES,
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
        loss, guess: nats a token, and those of a guess.
        accuracy: the share of places at which the answer is the likeliest.
        another: the share of places at which another token is, always of one kind: the previous
            one, the one itself, or its partner.
        keep, add: what the stream and an update are multiplied by, as the answer says.
        norm: whether there is a norm behind each sum.
    """

    loss: float
    guess: float
    accuracy: float
    another: float
    keep: float
    add: float
    norm: bool


def examine(got, case: Case) -> Symptoms | str:
    """What the returned model does on the case's new texts, or what is wrong with its form."""
    _, _, words, depth = case.inputs
    try:
        arrangement, weights = got
        keep, add = float(arrangement["keep"]), float(arrangement["add"])
        norm = {True: True, False: False}[arrangement["norm"]]
        with torch.device("meta"):  # no numbers are drawn that would be replaced at once
            model = Deep(words, depth, keep, add, norm)
        loaded = {name: torch.as_tensor(w).float() for name, w in weights.items()}
    except (TypeError, ValueError, KeyError, AttributeError, RuntimeError):
        return FORM
    if not isinstance(weights, Mapping):
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
    return Symptoms(loss, math.log(words), accuracy, max(others), abs(keep), abs(add), norm)


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
        f"{found.guess:.2f} nats."
    )


def told(shows: Callable[[Symptoms], bool]) -> Shows:
    """A predicate of how a model does; what is no model shows nothing."""
    return lambda got, expected, case: shows(examine(got, case))


def by_hand_answer(ids, answers, words, depth):
    """A right answer that needs no training."""
    partner = torch.zeros(words, dtype=torch.int64)
    partner[ids[:, :-1]] = answers
    return {"keep": 1.0, "add": 1.0, "norm": False}, by_hand(partner, depth)


deep_task = Task(
    id="10-block/deep",
    title="Make twelve blocks learn",
    kind="train",
    points=5,
    minutes=30,
    answer="learn_deep",
    cases=cases,
    reference=by_hand_answer,
    misconceptions=(
        seen(
            "another-stack",
            "Your weights do not fit the stack that is asked for. Which arguments say how many "
            "blocks it has, and how many different tokens?",
            lambda got, expected, case: examine(got, case) == OTHER_SIZES,
        ),
        seen(
            "another-token",
            "Your model is sure of a token at each place, but of another one than asked. Which "
            "place is the first of the answers for?",
            told(lambda found: found.another > 0.5 > found.accuracy),
        ),
        seen(
            "updates-not-heard",
            "The token gets through your stack, but next to nothing of what a sub-layer returns "
            "does. Who has to bring the token before, and how large is that update?",
            told(lambda found: found.accuracy < 0.5 and found.add < QUIET * found.keep),
        ),
        SKIP_MISSING.by(
            shows=told(lambda found: found.accuracy < 0.5 and found.keep < 0.2 * found.add)
        ),
        seen(
            "way-around-that-fades",
            "What passes by a sub-layer is multiplied each time, and no norm brings it back to "
            "its size. What becomes of the word after twenty-four such factors?",
            told(
                lambda found: (
                    found.accuracy < 0.5 and not found.norm and not 0.9 <= found.keep <= 1.1
                )
            ),
        ),
        seen(
            "half-trained",
            "Your model gives back some of the tokens, or is not yet sure of them. Is the loss "
            "still falling at the end, or do the steps not let it settle?",
            told(lambda found: found.accuracy > 0.5 or found.loss < 0.85 * found.guess),
        ),
        seen(
            "updates-too-loud",
            "Your loss is that of a guess. How large is an update, measured by what it is added "
            "to, and what is left of the word after twenty-four such sums?",
            told(lambda found: found.add > LOUD * found.keep),
        ),
        seen(
            "not-trained",
            "Your loss is that of a guess, in an arrangement that can learn. Which line of your "
            "loop keeps the weights from following the gradients of this batch, or from being the "
            "ones you return?",
            told(lambda found: found.loss > TARGET),
        ),
    ),
    compare=gives_back,
)
