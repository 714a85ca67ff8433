"""Debug: a training loop that keeps the best table, and finds it changed."""

import numpy as np
import torch
from torch.nn import functional

from headway.tasks.chapters.soft_lookup.mistakes import MEAN_MISCOUNTED
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def repaired_loop(ids, next_ids, size, steps, rate):
    """The table with the lowest loss, of the one at the start and those after each step."""
    W = torch.zeros(size, size, requires_grad=True)
    optimizer = torch.optim.SGD([W], lr=rate)
    lowest = torch.inf
    for _ in range(steps + 1):
        loss = functional.cross_entropy(W[ids], next_ids)
        if loss < lowest:
            best, lowest = W.detach().clone(), loss.item()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return best


def loop_cases(rng: np.random.Generator) -> list[Case]:
    def draw(size, count):
        words = torch.from_numpy(rng.integers(0, size, count + 1))
        return words[:-1].clone(), words[1:].clone(), size

    return [
        Case("a rate at which the loss rises again", *_risen(draw), core=True),
        Case("a rate at which the loss falls all the way", *draw(4, 12), 6, 0.5),
        Case("three steps", *draw(3, 7), 3, 2.0),
        Case("a single step", *draw(5, 9), 1, 1.0),
        Case("no step", *draw(3, 4), 0, 1.0),
        Case("a start that is better than what follows", *draw(3, 60), 4, 100.0),
    ]


def _losses(ids, next_ids, size, steps, rate) -> list[float]:
    """The loss at the start and after each step."""
    W, losses = torch.zeros(size, size, requires_grad=True), []
    for _ in range(steps + 1):
        loss = functional.cross_entropy(W[ids], next_ids)
        losses.append(loss.item())
        (slope,) = torch.autograd.grad(loss, W)
        W = (W - rate * slope).detach().requires_grad_()
    return losses


def _risen(draw) -> tuple:
    """What is trained on so fast that neither the first table is the best nor one of the last."""
    while True:
        words = draw(4, 12)
        for rate in (6.0, 9.0, 12.0, 16.0, 22.0):
            losses = _losses(*words, 7, rate)
            lowest, second = sorted(losses)[:2]
            at = losses.index(lowest)
            rises = any(losses[i + 1] > losses[i] + CLEARLY for i in range(at))
            if rises and at < 6 and second - lowest > CLEARLY:
                return *words, 7, rate


CLEARLY = 0.01  # nats between the best table and the next
COPY = "W.detach().clone()"
(given_loop,) = changed(repaired_loop, COPY, "W.detach()")

CLEAR = "        optimizer.zero_grad()\n"
BACKWARD = "        loss.backward()\n"
STEP = "        optimizer.step()\n"
KEEP = """\
        if loss < lowest:
            best, lowest = W.detach().clone(), loss.item()
"""

loop = Task(
    id="04-soft-lookup/loop",
    title="Repair a training loop",
    kind="debug",
    points=2,
    minutes=10,
    answer="train",
    cases=loop_cases,
    reference=repaired_loop,
    given=given_loop,
    misconceptions=(
        Misconception(
            "another-table-than-the-best",
            any_of(
                changed(repaired_loop, "loss < lowest", "True"),
                changed(*changed(repaired_loop, KEEP, ""), STEP, STEP + KEEP),
                changed(repaired_loop, "range(steps + 1)", "range(max(steps, 1))", "range(steps)"),
                changed(repaired_loop, KEEP, KEEP + "        else:\n            break\n"),
            ),
            "You return another table than the best of all. Is each one compared, from the start "
            "to the last step, and with its own loss?",
        ),
        Misconception(
            "stale-or-missing-gradient",
            any_of(
                changed(repaired_loop, BACKWARD, BACKWARD + CLEAR),
                changed(*changed(repaired_loop, STEP, ""), CLEAR, STEP + CLEAR),
                changed(repaired_loop, CLEAR, ""),
            ),
            "Your optimizer does not step by the gradient of this round alone: it finds none, an "
            "older one, or a sum. What has happened to the gradient by the time of each step?",
        ),
        Misconception(
            "moves-only-once",
            changed(repaired_loop, "range(steps + 1)", "range(min(steps, 1) + 1)"),
            "However many steps are asked for, your table moves only once. What happens in the "
            "second round, if your function gets that far?",
        ),
        Misconception(
            "other-steps",
            any_of(
                changed(
                    repaired_loop,
                    "lr=rate",
                    *("lr=rate / 10", "lr=min(rate, 1.0)", "lr=min(rate, 2.0)"),
                ),
                changed(repaired_loop, "torch.optim.SGD", "torch.optim.Adam"),
            ),
            "You changed the learning rate or the optimizer, and the steps were not the fault. "
            "What happens to a table after the function has kept it?",
        ),
        MEAN_MISCOUNTED.by(changed(repaired_loop, "next_ids)\n", 'next_ids, reduction="sum")\n')),
    ),
    compare=close(atol=1e-4, rtol=1e-4),
)
