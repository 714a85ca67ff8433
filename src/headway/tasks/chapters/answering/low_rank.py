"""Build: a linear layer that stays, with a low-rank update beside it that learns."""

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from headway.tasks.chapters.answering.draw import CLOSE, draw_tensor
from headway.tasks.chapters.answering.mistakes import TAKEN_FOR_GRANTED
from headway.tasks.engine.mistakes import Misconception, any_of, changed, seen
from headway.tasks.engine.probe.calls import use, use_then_look
from headway.tasks.engine.requirements import arguments_kept
from headway.tasks.engine.task import Case, Task

NO_BIAS, AXES, VECTOR = "a layer without a bias", "more axes, and none", "a single vector"
MERGED = "merged does what the layer does"
LARGE = 1e4


class LowRank(nn.Module):
    """(..., in) → (..., out)."""

    def __init__(self, weight, bias, A, alpha):
        super().__init__()
        self.weight = nn.Parameter(weight.clone(), requires_grad=False)
        self.bias = None if bias is None else nn.Parameter(bias.clone(), requires_grad=False)
        self.A = nn.Parameter(A.clone())
        self.B = nn.Parameter(torch.zeros(len(weight), len(A)))
        self.scale = alpha / len(A)

    def forward(self, x):
        low = functional.linear(functional.linear(x, self.A), self.B)
        return functional.linear(x, self.weight, self.bias) + self.scale * low

    def learn(self, x, targets, rate):
        trained = [p for p in self.parameters() if p.requires_grad]
        loss = (self.forward(x) - targets).square().mean()
        slopes = torch.autograd.grad(loss, trained)
        with torch.no_grad():
            for part, slope in zip(trained, slopes, strict=True):
                part -= rate * slope
        return loss

    def merged(self):
        return self.weight + self.scale * self.B @ self.A


def cases(rng: np.random.Generator) -> list[Case]:
    def draw(label, inside, outside, rank, alpha, *calls, bias=True, seen_as=(5,), **options):
        def rows(size):
            return draw_tensor(rng, *seen_as, size)

        given = {
            "forward": lambda: (rows(inside),),
            "learn": lambda: (rows(inside), rows(outside), 0.1),
            "merged": lambda: (),
        }
        return Case(
            label,
            [
                draw_tensor(rng, outside, inside),
                draw_tensor(rng, outside) if bias else None,
                draw_tensor(rng, rank, inside, scale=0.5),
                alpha,
            ],
            *((name, *given[name]()) for name in calls),
            **options,
        )

    step = ("forward", "learn", "forward")
    return [
        draw("as it was, then a step of learning", 5, 4, 2, 6.0, *step, core=True),
        draw("steps, then merged", 6, 3, 2, 3.0, "merged", *["learn"] * 3, "merged", core=True),
        draw(MERGED, 3, 6, 2, 4.0, "learn", "learn", "merged", "forward"),
        draw("rank one", 4, 5, 1, 2.0, *step, "learn", "merged"),
        draw("a rank above both widths", 2, 3, 5, 5.0, "learn", "learn", "forward", "merged"),
        draw(NO_BIAS, 4, 3, 2, 4.0, *step, "merged", bias=False),
        draw(AXES, 4, 3, 2, 4.0, "learn", "forward", "merged", seen_as=(2, 3, 2), path="axes"),
        draw(VECTOR, 4, 3, 2, 4.0, "learn", "forward", seen_as=(), path="axes"),
        draw("α as large as the rank", 5, 3, 3, 3.0, "learn", "learn", "forward"),
        draw("more steps", 6, 5, 3, 6.0, *["learn"] * 8, "forward", "merged"),
        # A itself changes in the second step only.
        arguments_kept(
            *draw("", 4, 3, 2, 4.0, "learn", "learn", "merged").inputs, verb=use_then_look
        ),
    ]


# What a wrong value is told by.


def _scaled_otherwise(got, expected, case):
    """Whether it is a layer with another scale than α/r, made of the same numbers or constant.

    Of one that diverges, only what isn't large yet is compared.
    """
    weight, _, A, alpha = case.inputs[0]
    (out, inside), r = weight.shape, len(A)
    scales = alpha, 1 / r, alpha * r, alpha / r**0.5, r / alpha, alpha / inside, alpha / out
    kept = [at for at, mine in enumerate(got.values()) if np.abs(mine).max() < LARGE]
    mine, right = ([list(results.values())[at] for at in kept] for results in (got, expected))
    if CLOSE(mine, right) is None:
        return False
    for scale in (*scales, (alpha / r) ** 2, 0.5, 1.0, 2.0):
        (made,) = changed(LowRank, "alpha / len(A)", repr(scale))
        others = list(use(made, case.inputs).values())
        if CLOSE(mine, [others[at] for at in kept]) is None:
            return True
    return False


def _of_rank(got, expected, case):
    """What was added to the matrix has a higher rank than the update can have."""
    weight, _, A, _ = case.inputs[0]
    for (name, *_), mine in zip(case.inputs[1:], got.values(), strict=True):
        if name == "merged" and np.shape(mine) == tuple(weight.shape):
            added = np.asarray(mine, dtype=float) - weight.numpy()
            if np.linalg.matrix_rank(added, tol=1e-4) > len(A):
                return True
    return False


def _wrong(got, expected, case):
    """Of each wrong result its method, and how many steps had been taken."""
    steps, found = 0, []
    for (name, *_), mine, right in zip(
        case.inputs[1:], got.values(), expected.values(), strict=True
    ):
        if CLOSE(mine, right) is not None:
            found.append((name, steps))
        steps += name == "learn"
    return found


def _first_wrong(tells):
    """By the method whose result is the first wrong one, and the steps before it."""
    return lambda got, expected, case: tells(*_wrong(got, expected, case)[0])


weight_trained = changed(LowRank, "weight.clone(), requires_grad=False", "weight.clone()")
BIAS = "nn.Parameter(bias.clone(), requires_grad=False)"

low_rank_task = Task(
    id="17-answering/low-rank",
    title="A layer that learns in low rank",
    kind="build",
    points=3,
    minutes=25,
    answer="LowRank",
    cases=cases,
    reference=LowRank,
    misconceptions=(
        seen(
            "scale-mistaken",
            "The update is too strong or too weak by a factor. What is s made of, and in how many "
            "places does it work?",
            _scaled_otherwise,
        ),
        Misconception(
            "more-is-trained",
            any_of(
                weight_trained,
                *(
                    changed(one, BIAS, "nn.Parameter(bias.clone())")
                    for one in (LowRank, weight_trained[0])
                ),
            ),
            "More than A and B moves when your layer learns. Which parts should stay as they were "
            "given, and how does PyTorch know?",
            shows=_of_rank,
        ),
        TAKEN_FOR_GRANTED.by(only_at=(AXES, VECTOR, NO_BIAS)),
        seen(
            "another-merge",
            "Your layer is right, but for merged: it returns another matrix, or changes the layer. "
            "For which matrix does x Wᵀ give what the layer gives but for the bias, and what does "
            "the layer give afterwards?",
            lambda *given: {name for name, _ in _wrong(*given)} == {"merged"},
            only_at=(MERGED,),
        ),
        seen(
            "not-as-it-was",
            "Before it has learned anything, your layer is another one than the one that was "
            "given. Which of the two matrices makes the update nothing at the beginning?",
            _first_wrong(lambda name, steps: not steps and name != "learn"),
        ),
        seen(
            "another-loss",
            "The layer is right up to the first step of learning, and there the loss is not. Over "
            "how many numbers is the mean taken, and of what?",
            _first_wrong(lambda name, steps: not steps and name == "learn"),
        ),
        seen(
            "another-step",
            "The first loss is right, and the step that follows isn't. Which numbers move, in "
            "which direction and how far, and where are the gradients of all of them taken?",
            _first_wrong(lambda name, steps: steps == 1),
        ),
        seen(
            "later-steps-off",
            "The first step is right, and a later one isn't. Which of A and B has a gradient only "
            "from the second step on, and what is left of the gradients of the first?",
            _first_wrong(lambda name, steps: steps > 1),
        ),
    ),
    verb=use,
    compare=CLOSE,
)
