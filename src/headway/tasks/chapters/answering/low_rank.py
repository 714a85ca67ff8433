"""Build: a linear layer that stays, with a low-rank update beside it that learns."""

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from headway.tasks.chapters.answering.draw import CLOSE, draw_tensor
from headway.tasks.chapters.answering.mistakes import SCALE_MISTAKEN
from headway.tasks.engine.mistakes import Misconception, any_of, changed, seen
from headway.tasks.engine.probe.calls import use, use_then_look
from headway.tasks.engine.requirements import arguments_kept
from headway.tasks.engine.task import Case, Task

NO_BIAS, AXES = "a layer without a bias", "more axes, and none"


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
        draw(
            "merged does what the layer does", 3, 6, 2, 4.0, "learn", "learn", "merged", "forward"
        ),
        draw("rank one", 4, 5, 1, 2.0, *step, "learn", "merged"),
        draw("a rank above both widths", 2, 3, 5, 5.0, "learn", "learn", "forward", "merged"),
        draw(NO_BIAS, 4, 3, 2, 4.0, *step, "merged", bias=False),
        draw(AXES, 4, 3, 2, 4.0, "learn", "forward", "merged", seen_as=(2, 3, 2), path="axes"),
        draw("a single vector", 4, 3, 2, 4.0, "learn", "forward", seen_as=(), path="axes"),
        draw("α as large as the rank", 5, 3, 3, 3.0, "learn", "learn", "forward"),
        draw("more steps", 6, 5, 3, 6.0, *["learn"] * 8, "forward", "merged"),
        arguments_kept(*draw("", 4, 3, 2, 4.0, *step, "merged").inputs, verb=use_then_look),
    ]


# What a wrong value is told by.


def _parts(case):
    weight, bias, A, alpha = case.inputs[0]
    return weight, bias, A, alpha


def _run(case, made):
    return list(use(made, case.inputs).values())


def _with_scale(scale):
    """A right layer but for its scale."""

    def made(*arguments):
        layer = LowRank(*arguments)
        layer.scale = scale
        return layer

    return made


def _scaled_otherwise(got, expected, case):
    """Whether it is a layer with another scale than α/r, made of the same numbers or constant."""
    weight, _, A, alpha = _parts(case)
    (out, inside), r = weight.shape, len(A)
    scales = alpha, 1 / r, alpha * r, alpha / r**0.5, r / alpha, alpha / inside, alpha / out
    layers = map(_with_scale, (*scales, (alpha / r) ** 2, 0.5, 1.0, 2.0))
    return _as(*layers)(got, expected, case)


def _as(*answers):
    """Whether the results are those of one of several classes."""

    def shows(got, expected, case):
        return any(CLOSE(list(got.values()), _run(case, made)) is None for made in answers)

    return shows


def _first_forward(got, expected, case):
    """Before a step has been made, the layer isn't the one that was given."""
    for name, mine, right in zip(got, got.values(), expected.values(), strict=True):
        if name.startswith("learn"):
            return False
        return CLOSE(mine, right) is not None
    return False


def _nothing_learned(got, expected, case):
    """After its steps it is the layer that was given."""
    weight, bias, _, _ = _parts(case)
    learned = False
    for (name, *given), mine in zip(case.inputs[1:], got.values(), strict=True):
        learned |= name == "learn"
        if name == "forward" and learned:
            return CLOSE(mine, functional.linear(given[0], weight, bias).numpy()) is None
        if name == "merged" and learned:
            return CLOSE(mine, weight.numpy()) is None
    return False


def _of_rank(got, expected, case):
    """What was added to the matrix has a higher rank than the update can have."""
    weight, _, A, _ = _parts(case)
    for (name, *_), mine in zip(case.inputs[1:], got.values(), strict=True):
        if name == "merged" and np.shape(mine) == tuple(weight.shape):
            added = np.asarray(mine, dtype=float) - weight.numpy()
            if np.linalg.matrix_rank(added, tol=1e-4) > len(A):
                return True
    return False


def _only(kind):
    """Only what one of the three methods returns is wrong."""

    def shows(got, expected, case):
        wrong = {
            name.split("(")[0]
            for name, mine, right in zip(expected, got.values(), expected.values(), strict=True)
            if CLOSE(mine, right) is not None
        }
        return wrong == {kind}

    return shows


def _losses_off(got, expected, case):
    """The first loss is wrong where the layer, before it, is right."""
    for (name, *_), mine, right in zip(
        case.inputs[1:], got.values(), expected.values(), strict=True
    ):
        if CLOSE(mine, right) is not None:
            return name == "learn"
    return False


SCALE = "self.scale = alpha / len(A)"
MERGED = "self.weight + self.scale * self.B @ self.A"
A_KEPT = "self.A = nn.Parameter(A.clone())"

(weight_trained,) = changed(LowRank, "weight.clone(), requires_grad=False", "weight.clone()")
bias_trained = changed(
    LowRank, "nn.Parameter(bias.clone(), requires_grad=False)", "nn.Parameter(bias.clone())"
)
all_trained = changed(
    weight_trained, "nn.Parameter(bias.clone(), requires_grad=False)", "nn.Parameter(bias.clone())"
)
only_b = changed(LowRank, A_KEPT, "self.A = nn.Parameter(A.clone(), requires_grad=False)")
scales = changed(
    LowRank,
    SCALE,
    "self.scale = alpha",
    "self.scale = 1.0",
    "self.scale = alpha * len(A)",
    "self.scale = alpha / A.shape[1]",
)

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
            "not-as-it-was",
            "Before it has learned anything, your layer is another one than the one that was "
            "given. Which of the two matrices makes the update nothing at the beginning?",
            _first_forward,
        ),
        SCALE_MISTAKEN.by(
            scales,
            changed(LowRank, MERGED, "self.weight + self.B @ self.A"),
            changed(LowRank, "self.scale * low", "low"),
            shows=_scaled_otherwise,
        ),
        Misconception(
            "more-is-trained",
            any_of(weight_trained, bias_trained, all_trained),
            "More than A and B moves when your layer learns. Which parts should stay as they were "
            "given, and how does PyTorch know?",
            shows=_of_rank,
        ),
        seen(
            "nothing-learned",
            "After steps of learning, your layer is still the one that was given. If A and B were "
            "both zero, what would the gradient of each be?",
            _nothing_learned,
        ),
        seen(
            "one-matrix-learns",
            "Only one of A and B learns. Which of them has no gradient in the first step, and has "
            "one in the second?",
            _as(*only_b),
        ),
        seen(
            "only-one-axis",
            "Only inputs with more axes, or with none, go wrong. Which axis does a linear layer "
            "work on, and what becomes of the others?",
            only_at=(AXES, "a single vector"),
        ),
        seen(
            "bias-needed",
            "Only a layer without a bias goes wrong. What is added then?",
            only_at=(NO_BIAS,),
        ),
        seen(
            "another-merge",
            "Your layer is right, and its merged matrix isn't. For which matrix does x Wᵀ give "
            "what the layer gives, without the bias?",
            _only("merged"),
        ),
        seen(
            "another-loss",
            "The layer is right up to the first step of learning, and there the loss is not. Over "
            "how many numbers is the mean taken, and of what?",
            _losses_off,
        ),
        seen(
            "another-step",
            "The first loss is right, and what the layer has learned from it is not. Which "
            "numbers move, in which direction and by how much?",
            lambda got, expected, case: (
                not _first_forward(got, expected, case) and not _losses_off(got, expected, case)
            ),
        ),
    ),
    verb=use,
    compare=CLOSE,
)
