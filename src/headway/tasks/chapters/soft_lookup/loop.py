"""Debug: a training loop that clears its gradients once, before it begins."""

import numpy as np
import torch
from torch.nn import functional

from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception
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
    return _loop(ids, next_ids, size, steps, rate)


def _loop(ids, next_ids, size, steps, rate, kind=torch.optim.SGD, after=lambda W, step: None):
    """A right loop, but for the optimizer and for what is done after `backward`."""
    W = torch.zeros(size, size, requires_grad=True)
    optimizer = kind([W], lr=rate)
    for step in range(steps):
        optimizer.zero_grad()
        functional.cross_entropy(W[ids], next_ids).backward()
        after(W, step)
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


def _cleared_too_late(W, step):
    W.grad.zero_()


def _one_step_only(ids, next_ids, size, steps, rate):
    return _loop(ids, next_ids, size, min(steps, 1), rate)


def _step_outside(ids, next_ids, size, steps, rate):
    W = torch.zeros(size, size, requires_grad=True)
    optimizer = torch.optim.SGD([W], lr=rate)
    for _ in range(steps):
        functional.cross_entropy(W[ids], next_ids).backward()
    optimizer.step()
    return W.detach()


def _mean_of_all_so_far(ids, next_ids, size, steps, rate):
    """Gradients still pile up, and are divided by how many they are."""
    W = torch.zeros(size, size, requires_grad=True)
    total = torch.zeros(size, size)
    for step in range(steps):
        total += torch.autograd.grad(functional.cross_entropy(W[ids], next_ids), W)[0]
        W.data -= rate * total / (step + 1)
    return W.detach()


def _shrinking_rate(ids, next_ids, size, steps, rate):
    return given_loop(ids, next_ids, size, steps, rate / max(steps, 1))


def _summed(ids, next_ids, size, steps, rate):
    return _loop(ids, next_ids, size, steps, rate * len(ids))


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
            "cleared-before-the-step",
            lambda *args: _loop(*args, after=_cleared_too_late),
            "Nothing is learned any more: the table stays 0. What is left of the gradient when "
            "the optimizer takes its step?",
        ),
        Misconception(
            "step-before-backward",
            lambda *args: _loop(*args[:3], max(args[3] - 1, 0), args[4]),
            "Your table is always one step behind, and with a single step it does not move. Which "
            "gradient does the optimizer find when it takes its first step?",
        ),
        Misconception(
            "one-step-only",
            _one_step_only,
            "However many steps are asked for, your result is that of a single one. Does the table "
            "begin anew in each round, or does the function return too soon?",
        ),
        Misconception(
            "step-after-the-loop",
            _step_outside,
            "Your table moves once, at the end, by all gradients together, and all of them were "
            "taken at the same place. Which lines belong inside the loop?",
        ),
        Misconception(
            "mean-of-all-so-far",
            _mean_of_all_so_far,
            "You divide the piled-up gradients by their number. Old gradients were taken at tables "
            "of the past: should they count at all?",
        ),
        Misconception(
            "rate-divided",
            _shrinking_rate,
            "Gradients still pile up; only the rate is smaller. Is the fault the length of the "
            "step or what it is made of?",
        ),
        Misconception(
            "adam-instead",
            lambda *args: _loop(*args, kind=torch.optim.Adam),
            "This is another optimizer. The steps of plain gradient descent are asked for.",
        ),
        Misconception(
            "sum-for-mean",
            _summed,
            "The gradient is cleared in time now, but the loss has become a sum over the pairs. "
            "Was that line at fault?",
        ),
    ),
    compare=close(atol=1e-4, rtol=1e-4),
)
