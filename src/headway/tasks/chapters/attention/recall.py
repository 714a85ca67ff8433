"""Train: answer which value stood beside a key, with one head of attention."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch
from torch.nn import functional

from headway.tasks.chapters.attention.head import head
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.mistakes import Shows, either, seen
from headway.tasks.engine.requirements import arguments_kept
from headway.tasks.engine.task import Case, Task

TARGET = 0.98
OTHER_SIZES = "there is not one row for each key, one row and one column for each value."
OTHER_FORM = "six tensors are asked for that fit the model of the notebook, in its order."
INFINITE = "the logits are NaN or infinite."
APART = 0.96  # below it the model of the text is not merely unfinished
STEPS, RATE, BATCH, WIDTH = 200, 0.01, 128, 16


def questions(rng: np.random.Generator, count: int, sizes: tuple[int, int], pairs: int):
    """Keys and values (count, pairs) shown, the key that is asked and its value, (count,).

    The keys of one question differ; a value may stand beside several of them.
    """
    shown = rng.random((count, sizes[0])).argsort(axis=1)[:, :pairs]
    worth = rng.integers(sizes[1], size=(count, pairs))
    rows, place = np.arange(count), rng.integers(pairs, size=count)
    return tuple(map(torch.from_numpy, (shown, worth, shown[rows, place], worth[rows, place])))


def new_parameters(sizes, width=WIDTH, device="cpu", generator=None):
    """Two tables of embeddings and four matrices, drawn at random, ready to be trained."""
    keys, values = sizes
    shapes = [(keys, width), (values, width), *[(width, width)] * 3, (width, values)]
    drawn = [torch.randn(shape, generator=generator) / math.sqrt(width) for shape in shapes]
    return [tensor.to(device).requires_grad_() for tensor in drawn]


def answer(parameters, keys, values, asked):
    """Logits (B, values): the question looks at the pairs, and W_O reads what comes back."""
    key_table, value_table, W_Q, W_K, W_V, W_O = parameters
    pairs = key_table[keys] + value_table[values]
    return head(key_table[asked][:, None], pairs, W_Q, W_K, W_V)[:, 0] @ W_O


def learn_recall(keys, values, asked, answers, sizes):
    """The six parameters after a few hundred steps of Adam on batches drawn at random."""
    return learn(keys, values, asked, answers, sizes)


def learn(keys, values, asked, answers, sizes, steps=STEPS, rate=RATE, generator=None):
    """`learn_recall` with its choices."""
    parameters = new_parameters(sizes, generator=generator)
    optimizer = torch.optim.Adam(parameters, lr=rate)
    for _ in range(steps):
        batch = torch.randint(len(keys), (BATCH,), generator=generator)
        logits = answer(parameters, keys[batch], values[batch], asked[batch])
        loss = functional.cross_entropy(logits, answers[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return [parameter.detach() for parameter in parameters]


def recall_cases(rng: np.random.Generator) -> list[Case]:
    def draw(label, keys, values, pairs, core=False):
        sizes = int(rng.integers(*keys)), int(rng.integers(*values))
        known, new = (questions(rng, count, sizes, pairs) for count in (4_000, 500))
        return Case(label, *known, sizes, truth=new, core=core)

    return [
        draw("twelve to eighteen keys, six pairs", (12, 19), (6, 10), 6, core=True),
        draw("eight to ten keys, four pairs", (8, 11), (4, 6), 4),
        arguments_kept(
            *questions(rng, 400, (10, 6), 4),
            (10, 6),
        ),
    ]


class Symptoms(NamedTuple):
    """How a trained model does on new questions.

    Attributes:
        accuracy: share of right answers.
        loss: cross-entropy in nats.
        share: mean weight of the pair that has the answer.
        apart: share of right answers where a pair is two vectors, the key's for W_K and the
            value's for W_V.
    """

    accuracy: float
    loss: float
    share: float
    apart: float


def examine(parameters, case: Case) -> Symptoms | str:
    """What the parameters do on the case's new questions, or what is wrong with their form."""
    sizes, (keys, values, asked, answers) = case.inputs[-1], case.truth
    try:
        parameters = [torch.from_numpy(np.array(p, dtype=np.float32)) for p in parameters]
        key_table, value_table, W_Q, W_K, W_V, W_O = parameters
        if (len(key_table), len(value_table), W_O.shape[1]) != (*sizes, sizes[1]):
            return OTHER_SIZES
        logits = answer(parameters, keys, values, asked)
        pairs = key_table[keys] + value_table[values]
        query = key_table[asked][:, None] @ W_Q
        scores = query @ (pairs @ W_K).mT / math.sqrt(W_Q.shape[1])
        by_key = query @ (key_table[keys] @ W_K).mT / math.sqrt(W_Q.shape[1])
        apart = (by_key.softmax(dim=-1) @ (value_table[values] @ W_V))[:, 0] @ W_O
    except (TypeError, ValueError, RuntimeError, IndexError):
        return OTHER_FORM
    if not logits.isfinite().all():
        return INFINITE
    accuracy = (logits.argmax(dim=1) == answers).float().mean().item()
    share = scores.softmax(dim=-1)[:, 0][keys == asked[:, None]].mean().item()
    loss = functional.cross_entropy(logits, answers).item()
    right_apart = (apart.argmax(dim=1) == answers).float().mean().item()
    return Symptoms(accuracy, loss, share, right_apart)


def answers_right(got, expected, case) -> Difference | None:
    """Whether the share of right answers to new questions reaches the target."""
    found = examine(got, case)
    if isinstance(found, str):
        return Difference(found)
    if found.accuracy >= TARGET:
        return None
    return Difference(
        f"of {len(case.truth[0])} new questions, {found.accuracy:.1%} are answered right; "
        f"at least {TARGET:.0%} is asked. The pair with the answer has a weight of "
        f"{found.share:.2f} on average."
    )


def _like(tells: Callable[[Symptoms, float, int, int], bool]) -> Shows:
    """Tell a mistake by a model's symptoms, the loss of a guess, and how many values and pairs."""

    def shows(got, expected, case) -> bool:
        found, values, pairs = examine(got, case), case.inputs[-1][1], case.inputs[0].shape[1]
        return isinstance(found, Symptoms) and tells(found, math.log(values), values, pairs)

    return shows


def _diverged(found: Symptoms, guess: float, values: int, pairs: int) -> bool:
    too_loud = found.loss > 4 * guess and found.share > 2 / pairs and found.accuracy > 1.6 / values
    return too_loud or (found.loss > 1.5 * guess and found.accuracy < 2 / values)


recall = Task(
    id="08-attention/recall",
    title="Remember which value stood beside a key",
    kind="train",
    points=3,
    minutes=20,
    answer="learn_recall",
    cases=recall_cases,
    reference=learn_recall,
    misconceptions=(
        seen(
            "sizes-of-the-notebook",
            "Your tensors don't fit the check's model, or its numbers of keys and values, which "
            "differ from the notebook's. Which tensors are asked for, and how many rows has each?",
            lambda got, expected, case: examine(got, case) in (OTHER_SIZES, OTHER_FORM),
            only_at=("eight to ten keys, four pairs",),
        ),
        seen(
            "another-model-trained",
            "Your tensors answer well in another model than the check's. How many vectors does a "
            "pair become in the text, and what does each matrix do with them?",
            _like(lambda found, *_: found.apart >= TARGET and found.accuracy < APART),
        ),
        seen(
            "found-and-not-read",
            "Your question finds the right pair, but the answer doesn't come out. Which tensors "
            "turn a pair into logits, and did your loss reach all of them?",
            _like(lambda found, *_: found.share > 0.95 and found.accuracy < 0.9),
        ),
        seen(
            "training-diverged",
            "Your model is sure of itself where it is wrong, or its numbers are infinite. Does "
            "each step lead down, by the gradient of its own batch alone, and not too far?",
            either(_like(_diverged), lambda got, expected, case: examine(got, case) == INFINITE),
        ),
        seen(
            "not-trained",
            "With the model of the text, your tensors answer like a guess. Does every step move "
            "all of them, far enough, by rows that belong together?",
            _like(
                lambda found, guess, values, pairs: (
                    found.loss > 0.92 * guess and found.accuracy < 0.5 and found.share < 2 / pairs
                )
            ),
        ),
        seen(
            "equal-weights",
            "Every pair gets the same weight, so your model can only name the most frequent value. "
            "Which tensors make the weights, and does a gradient reach them?",
            _like(lambda found, guess, values, pairs: abs(found.share - 1 / pairs) < 0.03),
        ),
        seen(
            "half-trained",
            "Your model finds the right pair in many questions, but not in all. Is the loss still "
            "falling at the end, and does every step draw new rows?",
            _like(
                lambda found, guess, values, pairs: (
                    found.share > 1.15 / pairs and found.accuracy > 1.5 / values
                )
            ),
        ),
    ),
    compare=answers_right,
)
