"""Debug: a training loop that clears its gradients once, before it begins."""

import numpy as np
import torch
from torch.nn import functional

from headway.tasks.chapters.soft_lookup.mistakes import MEAN_FORGOTTEN
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def given_loop(ids, next_ids, size, steps, rate):
    """The faulty function that the notebook hands out."""
    W = torch.zeros(size, size, requires_grad=True)
    optimizer = torch.optim.SGD([W], lr=rate)
    optimizer.zero_grad()
    for _ in range(steps):
        loss = functional.cross_entropy(W[ids], next_ids)
        loss.backward()
        optimizer.step()
    return W.detach()


def repaired_loop(ids, next_ids, size, steps, rate):
    """The same with line 4 moved into the loop."""
    W = torch.zeros(size, size, requires_grad=True)
    optimizer = torch.optim.SGD([W], lr=rate)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = functional.cross_entropy(W[ids], next_ids)
        loss.backward()
        optimizer.step()
    return W.detach()


def loop_cases(rng: np.random.Generator) -> list[Case]:
    def draw(size, count):
        words = torch.from_numpy(rng.integers(0, size, count + 1))
        return words[:-1].clone(), words[1:].clone(), size

    return [
        Case("six steps", *draw(4, 12), 6, 0.5, core=True),
        Case("three steps", *draw(3, 7), 3, 2.0, core=True),
        Case("a single step", *draw(5, 9), 1, 1.0),
        Case("no step", *draw(3, 4), 0, 1.0),
        Case("a high learning rate", *draw(3, 10), 4, 8.0),
    ]


CLEAR = "        optimizer.zero_grad()\n"
BACKWARD = "        loss.backward()\n"
STEP = "        optimizer.step()\n"

loop = Task(
    id="04-soft-lookup/loop",
    title="Repair a training loop",
    kind="debug",
    points=2,
    minutes=8,
    answer="train",
    cases=loop_cases,
    reference=repaired_loop,
    given=given_loop,
    misconceptions=(
        Misconception(
            "calls-in-another-order",
            any_of(
                changed(repaired_loop, BACKWARD, BACKWARD + CLEAR),
                changed(*changed(repaired_loop, STEP, ""), CLEAR, STEP + CLEAR),
            ),
            "Your table does not move, or is one step behind: the optimizer takes a step before "
            "there is a gradient, or when it is gone. What has happened to the gradient each time "
            "that the optimizer looks for it?",
        ),
        Misconception(
            "moves-only-once",
            any_of(
                changed(repaired_loop, "range(steps)", "range(min(steps, 1))"),
                changed(given_loop, STEP, STEP.removeprefix("    ")),
            ),
            "However many steps are asked for, your table moves only once. Does it begin anew in "
            "each round, does the function return too soon, or does a line stand outside the loop?",
        ),
        Misconception(
            "old-gradients-kept",
            any_of(
                changed(given_loop, "lr=rate", "lr=rate / max(steps, 1)"),
                changed(
                    *changed(given_loop, "for _ in", "for done in"),
                    "optimizer.step()",
                    "W.data -= rate * W.grad / (done + 1)",
                ),
            ),
            "Gradients still pile up, and a smaller rate or a division makes up for their number. "
            "Old gradients were taken at tables of the past: should they count at all?",
        ),
        Misconception(
            "adam-instead",
            changed(repaired_loop, "torch.optim.SGD", "torch.optim.Adam"),
            "This is another optimizer. The steps of plain gradient descent are asked for.",
        ),
        MEAN_FORGOTTEN.by(changed(repaired_loop, "next_ids)\n", 'next_ids, reduction="sum")\n')),
    ),
    compare=close(atol=1e-4, rtol=1e-4),
)
