"""Train: answer which value stood beside a key, with one head of attention."""

import math
from typing import NamedTuple

import numpy as np
import torch
from torch.nn import functional

from headway.tasks.chapters.attention.head import head
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.duties import arguments_kept
from headway.tasks.engine.mistakes import Misconception, any_of
from headway.tasks.engine.task import Case, Task

TARGET = 0.98
OTHER_SIZES = "there is not one row for each key, one row and one column for each value."
APART = 0.96  # below it the model of the text is not merely unfinished
FEW, SHARP = 10, 50.0  # keys of the easier case; how far the right pair stands out by hand
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
        return "six tensors are asked for that fit the model of the notebook, in its order."
    if not logits.isfinite().all():
        return "the logits are NaN or infinite."
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


def diagnosis(parameters, case: Case) -> str | None:
    """What a model shows: "right", a kind of failure, or None for one that has no name."""
    found = examine(parameters, case)
    if isinstance(found, str):
        return found if found == OTHER_SIZES else None
    if found.accuracy >= TARGET:
        return "right"
    values, pairs = case.inputs[-1][1], case.inputs[0].shape[1]
    guess = math.log(values)
    if found.loss > 4 * guess and found.share > 2 / pairs and found.accuracy > 1.6 / values:
        return "too loud"
    if found.apart >= TARGET and found.accuracy < APART:
        return "another model"
    if found.loss > 1.5 * guess and found.accuracy < 2 / values:
        return "sure and wrong"
    if 0.92 * guess < found.loss and found.accuracy < 0.5 and found.share < 2 / pairs:
        return "like a guess"
    if abs(found.share - 1 / pairs) < 0.03:
        return "looks everywhere alike"
    if found.share > 1.15 / pairs and found.accuracy > 1.5 / values:
        return "half-way"
    return None


def alike(got, expected, case) -> Difference | None:
    """Whether two models are both right or fail in the same way; other failures are like none."""
    one, other = diagnosis(got, case), diagnosis(expected, case)
    return None if one and one == other else Difference("they fail in different ways.")


def _by_hand(known: int | None, easy: int | None, read: float = 6.0):
    """Parameters set by hand, in `sizes[0] + sizes[1]` dimensions: the trained ones in the clear.

    Args:
        known: how many of the keys find their pair, where there are many; all if None.
        easy: the same where there are few.
        read: how strongly a value that comes back speaks for itself; negative, against.
    """

    def parameters(keys, values, asked, answers, sizes):
        tables, whole = torch.eye(sum(sizes)).split(sizes), torch.eye(sum(sizes))
        look = torch.zeros_like(whole)
        some = easy if sizes[0] <= FEW else known
        look[:some, :some] = whole[:some, :some] * SHARP
        look[sizes[0] :] = 0
        return [*tables, look, whole, whole, read * whole[:, sizes[0] :]]

    return parameters


def _for_few(few, many):
    """As `few` where there are few keys, and as `many` where there are many."""
    return lambda *given: (few if given[-1][0] <= FEW else many)(*given)


_too_loud = _by_hand(known=5, easy=5, read=600.0)
_wrong = _by_hand(known=0, easy=0, read=-60.0)


def _pair_of_two(keys, values, asked, answers, sizes):
    """Right where W_V sees the value of a pair alone; its key would speak for a value too."""
    parameters = _by_hand(known=None, easy=None)(keys, values, asked, answers, sizes)
    told = torch.arange(sizes[0]) % sizes[1] + sizes[0]
    W_V = parameters[4].clone()
    W_V[range(sizes[0]), told] = 2.0
    return [*parameters[:4], W_V, parameters[5]]


def _not_trained(keys, values, asked, answers, sizes):
    return [p.detach() for p in new_parameters(sizes, generator=torch.Generator().manual_seed(0))]


def _sizes_of_the_text(keys, values, asked, answers, sizes):
    parameters = _by_hand(known=None, easy=None)(keys, values, asked, answers, (16, 8))
    parameters[0][keys], parameters[1][values]  # raise where rows lack
    return parameters


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
        Misconception(
            "not-trained",
            _not_trained,
            "With the model of the text, your tensors answer like a guess. Does every step move "
            "all of them, far enough, by rows that belong together?",
        ),
        Misconception(
            "equal-weights",
            _by_hand(known=0, easy=0),
            "Every pair gets the same weight, so your model can only name the most frequent value. "
            "Which tensors make the weights, and does a gradient reach them?",
        ),
        Misconception(
            "another-model-trained",
            any_of(
                _pair_of_two,
                _for_few(_by_hand(known=None, easy=None), _pair_of_two),
                _for_few(_by_hand(known=5, easy=5), _pair_of_two),
            ),
            "Your tensors answer well in another model than the check's. How many vectors does a "
            "pair become in the text, and what does each matrix do with them?",
        ),
        Misconception(
            "sizes-of-the-notebook",
            _sizes_of_the_text,
            "This fits the numbers of keys and values in the notebook. The check asks about more "
            "of them, or fewer: which argument tells how many rows each table has?",
        ),
        Misconception(
            "half-trained",
            any_of(
                _by_hand(known=5, easy=5),
                _by_hand(known=5, easy=None),
                _by_hand(known=0, easy=5),
                _by_hand(known=0, easy=None),
                # With few keys it may come to look as if it were another model.
                _for_few(_pair_of_two, _by_hand(known=5, easy=5)),
            ),
            "Your model finds the right pair in many questions, but not in all. Is the loss still "
            "falling at the end, and does every step draw new rows?",
        ),
        Misconception(
            "training-diverged",
            any_of(_too_loud, _for_few(_too_loud, _wrong), _for_few(_wrong, _too_loud), _wrong),
            "Your model is sure of itself where it is wrong. Does each step lead down, by the "
            "gradient of its own batch alone, and not too far?",
        ),
    ),
    compare=answers_right,
    alike=alike,
)
