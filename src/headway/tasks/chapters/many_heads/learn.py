"""Train: bring back the vectors of two roles at once, which one softmax cannot."""

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from headway.tasks.chapters.many_heads.r_squared import r_squared
from headway.tasks.engine.compare import Difference, at_most
from headway.tasks.engine.duties import arguments_kept
from headway.tasks.engine.mistakes import Misconception, any_of
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


def _alike(got, expected, case) -> Difference | None:
    """Whether two answers explain about as much; whatever is no better than the mean is alike."""
    kinds = []
    for predicted in (got, expected):
        try:
            array = np.asarray(predicted, dtype=np.float32)
        except (TypeError, ValueError):
            return Difference("these are no predictions.")
        if array.shape != tuple(case.truth.shape):
            return Difference("the shapes differ.")
        kinds.append(_diagnosis(array, case))
    return None if kinds[0] == kinds[1] else Difference("one explains more.")


def _diagnosis(predicted: np.ndarray, case: Case) -> str:
    """What so much says of a model; equal weights for all tokens explain 1/R."""
    explained, roles = 1 - unexplained(predicted, case), case.inputs[0].shape[1]
    if explained < TARGET and (explained < FAR_OFF or _reads_other_roles(predicted, case)):
        return "far off"
    if explained < 0.04:
        return "no better than the mean"
    if explained < 1 / roles + 0.06:
        return "equal weights"
    if explained < 0.37:
        return "begins to choose"
    if explained < 0.62:
        return "one look"
    return "right" if explained >= TARGET else "two looks, unsettled"


def _reads_other_roles(predicted: np.ndarray, case: Case) -> bool:
    """Whether the predictions are vectors of the tokens as they are, each of a fixed role."""
    size = predicted.shape[1] // 2
    vectors = _by_role(case.inputs[2], case.inputs[2].shape[2] - size)  # (M, R, E)
    halves = torch.from_numpy(predicted).split(size, 1)
    return all((vectors - half[:, None]).abs().amax((0, 2)).min() < 1e-3 for half in halves)


def read_off(x, y, new_x):
    """The right answer without training: find the wanted roles, and read their vectors."""
    return _wanted_vectors(new_x, x, y).flatten(1)


def _by_least_squares(features):
    """The best linear predictions from features of the tokens, without any training."""

    def learn(x, y, new_x):
        known = _with_one(features(x, x, y))
        return _with_one(features(new_x, x, y)) @ torch.linalg.lstsq(known, y).solution

    return learn


def _only_for_few(wrong):
    """Wrong with six roles or more; right with fewer."""

    def learn(x, y, new_x):
        few = x.shape[-1] - y.shape[1] // 2 < 6
        return read_off(x, y, new_x) if few else wrong(x, y, new_x)

    return learn


def _with_one(features):
    return torch.cat([features, torch.ones(len(features), 1)], dim=1)


def _mean_vector(given, x, y):
    return given[..., -y.shape[1] // 2 :].mean(1)


def _one_mixture(given, x, y):
    """What one head finds: both vectors in one mixture."""
    return _wanted_vectors(given, x, y).mean(1)


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
        Misconception(
            "one-head-only",
            _by_least_squares(_one_mixture),
            "About half is explained, as by a single mixture of the tokens. How many times may "
            "your model look, and did training find the second look?",
        ),
        Misconception(
            "no-better-than-the-mean",
            lambda x, y, new_x: y.mean(0).expand(len(new_x), -1),
            "Your predictions are no better than the mean of the targets. Does the loss fall, and "
            "do the predictions come from that model, for the rows asked for?",
        ),
        Misconception(
            "far-off",
            any_of(
                lambda x, y, new_x: _by_role(new_x, new_x.shape[2] - y.shape[1] // 2)[
                    :, :2
                ].flatten(1),
                lambda x, y, new_x: 1_000 * read_off(x, y, new_x),
                lambda x, y, new_x: y[: len(new_x)],
            ),
            "Your predictions are far too large, or belong to other rows or tokens. Which rows and "
            "roles are asked for, and does your loss fall?",
        ),
        Misconception(
            "half-trained",
            any_of(
                lambda x, y, new_x: 0.6 * read_off(x, y, new_x),
                _only_for_few(lambda x, y, new_x: 0.6 * read_off(x, y, new_x)),
                _by_least_squares(_mean_vector),
                lambda x, y, new_x: 0.15 * read_off(x, y, new_x),
            ),
            "Your model explains something, but not enough. Is the loss at the end still falling, "
            "or jumping, or stuck?",
        ),
    ),
    compare=at_most(unexplained, "What is not explained, 1 − R²,", lambda case: 1 - TARGET),
    alike=_alike,
)
