"""Train: bring back the vectors of two roles at once, which one softmax cannot."""

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from headway.tasks.chapters.many_heads.r_squared import r_squared
from headway.tasks.engine.compare import at_most
from headway.tasks.engine.mistakes import Shows, either, seen
from headway.tasks.engine.requirements import arguments_kept
from headway.tasks.engine.task import Case, Task

TARGET = 0.98
FAR_OFF = -0.3  # R² below it: not the mean, and nothing like the targets
STEPS, RATE, BATCH, WIDTH = 400, 1e-2, 64, 32


def roles_and_vectors(
    rng: np.random.Generator, count: int, roles: int, size: int, wanted: tuple[int, int] = (0, 1)
) -> tuple[Tensor, Tensor]:
    """Tokens (N, R, R + E), each [one-hot role ‖ vector] in random order, and targets (N, 2E).

    Each role stands once in each row; the target is the vectors of the two wanted ones.
    """
    order = rng.random((count, roles)).argsort(axis=1)
    vectors = rng.normal(size=(count, roles, size))
    x = np.concatenate([np.eye(roles)[order], vectors], axis=2)
    place = order.argsort(axis=1)  # where each role stands
    rows = np.arange(count)
    y = np.concatenate([vectors[rows, place[:, role]] for role in wanted], axis=1)
    return torch.from_numpy(x).float(), torch.from_numpy(y).float()


class Reader(nn.Module):
    """One learned query reads the tokens: (B, R, R + E) → (B, 2E)."""

    def __init__(self, inputs: int, outputs: int, heads: int, width: int = WIDTH):
        super().__init__()
        self.embed = nn.Linear(inputs, width)
        self.question = nn.Parameter(torch.randn(1, 1, width))
        self.attention = nn.MultiheadAttention(width, heads, batch_first=True)
        self.answer = nn.Linear(width, outputs)

    def forward(self, x):
        tokens = self.embed(x)
        question = self.question.expand(len(x), -1, -1)
        return self.answer(self.attention(question, tokens, tokens, need_weights=False)[0][:, 0])


def trained(x, y, new_x, heads: int, steps: int = STEPS):
    """Predictions for new rows by a reader with so many heads, trained on x and y."""
    model = Reader(x.shape[-1], y.shape[-1], heads)
    optimizer = torch.optim.Adam(model.parameters(), lr=RATE)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps)
    for _ in range(steps):
        rows = torch.randint(len(x), (BATCH,))
        loss = functional.mse_loss(model(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    with torch.no_grad():
        return model(new_x)


def role_cases(rng: np.random.Generator) -> list[Case]:
    def case(label, roles, size, core=False):
        wanted = tuple(int(role) for role in rng.permutation(roles)[:2])
        x, y = roles_and_vectors(rng, 2_500, roles, size, wanted)
        return Case(label, x[:2_000], y[:2_000], x[2_000:], truth=y[2_000:], core=core)

    return [
        case("six roles, vectors of eight", 6, 8, core=True),
        case("five roles, vectors of eight", 5, 8),
        arguments_kept(
            *roles_and_vectors(rng, 200, 3, 2),
            roles_and_vectors(rng, 20, 3, 2)[0],
        ),
    ]


def unexplained(predicted: np.ndarray, case: Case) -> float:
    """1 − R² on the new rows."""
    return 1 - r_squared(torch.from_numpy(np.asarray(predicted, dtype=np.float32)), case.truth)


def _explains(low: float, high: float) -> Shows:
    """Tell a mistake by the share R² that predictions explain."""
    return lambda got, expected, case: low <= 1 - unexplained(got, case) < high


def _far_off(got, expected, case) -> bool:
    """Whether predictions have another shape, are unlike the targets, or are other vectors."""
    if np.shape(got) != tuple(case.truth.shape) or not np.isfinite(got).all():
        return True
    others = _reads_other_roles(got, case) or _in_another_order(got, case)
    return others or 1 - unexplained(got, case) < FAR_OFF


def _reads_other_roles(got, case) -> bool:
    """Whether the predictions are vectors of the tokens as they are, each of a fixed role."""
    size = got.shape[1] // 2
    vectors = _by_role(case.inputs[2], case.inputs[2].shape[2] - size)  # (M, R, E)
    halves = torch.from_numpy(np.float32(got)).split(size, 1)
    return all((vectors - half[:, None]).abs().amax((0, 2)).min() < 1e-3 for half in halves)


def _in_another_order(got, case) -> bool:
    """Whether rows or halves of right predictions stand in other places."""
    halves = np.split(np.asarray(got), 2, axis=1)
    return unexplained(np.concatenate(halves[::-1], axis=1), case) < 1 - TARGET


def _one_half(got, expected, case) -> bool:
    """Whether one of the two vectors is right, and the other isn't."""
    mine, right = (np.split(np.asarray(x, dtype=float), 2, 1) for x in (got, case.truth))
    errors = [((a - b) ** 2).sum() / (b**2).sum() for a, b in zip(mine, right, strict=True)]
    return min(errors) < 1 - TARGET


def read_off(x, y, new_x):
    """The right answer without training: find the wanted roles, and read their vectors."""
    return _wanted_vectors(new_x, x, y).flatten(1)


def _wanted_vectors(given, x, y):
    """The vectors that the targets hold, (N, 2, E), in the order of the targets."""
    size = y.shape[1] // 2
    roles = x.shape[-1] - size
    known = _by_role(x, roles)
    wanted = [
        int((known - half[:, None]).square().sum((0, 2)).argmin()) for half in y.split(size, 1)
    ]
    return _by_role(given, roles)[:, wanted]


def _by_role(given, roles):
    """The vectors in the order of their roles, (N, R, E)."""
    place = given[..., :roles].argmax(-1).argsort(1)
    vectors = given[..., roles:]
    return vectors.gather(1, place[..., None].expand(-1, -1, vectors.shape[-1]))


learn = Task(
    id="09-many-heads/learn",
    title="Train a reader",
    kind="train",
    points=4,
    minutes=30,
    answer="learn_roles",
    cases=role_cases,
    reference=read_off,
    misconceptions=(
        seen(
            "one-head-only",
            "About half is explained, as by a single mixture of the tokens. How many times may "
            "your model look, and did training find the second look?",
            either(_one_half, _explains(0.37, 0.62)),
        ),
        seen(
            "far-off",
            "Your predictions are too large or not finite, or they belong to other rows or tokens. "
            "Which rows and roles are asked for, and does your loss fall?",
            _far_off,
        ),
        seen(
            "no-better-than-the-mean",
            "Your predictions are no better than the mean of the targets. Does the loss fall, and "
            "do the predictions come from that model, for the rows asked for?",
            _explains(FAR_OFF, 0.04),
        ),
        seen(
            "half-trained",
            "Your model explains something, but not enough. Is the loss at the end still falling, "
            "or jumping, or stuck?",
            _explains(0.04, TARGET),
            only_at=("five roles, vectors of eight",),
        ),
    ),
    compare=at_most(unexplained, "What is not explained, 1 − R²,", lambda case: 1 - TARGET),
)
