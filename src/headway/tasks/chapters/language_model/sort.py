"""Train: a language model of two thousand numbers that sorts six digits."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from headway.tasks.chapters.language_model.mistakes import SHIFTED_WRONGLY, UNSHIFTED
from headway.tasks.chapters.language_model.sorting import (
    ARRANGEMENT,
    BUDGET,
    EQUALS,
    SYMBOLS,
    new_model,
    questions,
    recorded,
    replies,
)
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.mistakes import Misconception, any_of
from headway.tasks.engine.task import Case, Task

TARGET = 0.98  # of the replies, to the last digit
FEW = 2_000  # questions of the rare kind, where good models have 99 %: 300 let chance decide
FORM = (
    "two things are asked for: a dictionary of width, heads and layers, and the state_dict of the "
    "model that was trained with it."
)
OTHER_SIZES = "the weights are not those of a LanguageModel of this width, depth and vocabulary."
TOO_LARGE = "the model is too large"
NEARLY, SORTED = 0.4, 0.88


def cases(rng: np.random.Generator) -> list[Case]:
    def ask(label, asked, **options):
        """A case with ids for the symbols that are drawn anew."""
        ids = torch.from_numpy(rng.permutation(SYMBOLS))
        return Case(label, ids, truth=asked, **options)

    few, order = questions(rng, FEW), questions(rng, 300).sort(dim=1).values
    few = few.gather(1, torch.from_numpy(rng.integers(2, size=few.shape)))
    order[150:] = order[150:].flip(1)
    return [
        ask("six digits drawn at random", questions(rng, 400), core=True),
        ask("two different digits at most", few),
        ask("sorted already, or from the highest to the lowest", order),
    ]


class Symptoms(NamedTuple):
    """How a returned model replies.

    Attributes:
        exact: the share of replies that are right to the last digit.
        size: the number of its parameters.
        repeated: the share of digits that say the token before once more.
        falling: the share of replies that are right from the highest to the lowest.
        sorted: the share of replies that are digits and never fall.
        different: how many different replies there are.
        first: a question and its reply that is wrong, or the last.
    """

    exact: float
    size: int
    repeated: float
    falling: float
    sorted: float
    different: int
    first: tuple[str, str]


def examine(got, case: Case, ids: Tensor | None = None) -> Symptoms | str:
    """What the returned model replies to the case's questions, or what is wrong with its form.

    Args:
        ids: of the symbols; those of the case if not given.
    """
    try:
        arrangement, weights = got
        loaded = {name: torch.as_tensor(np.asarray(w)).float() for name, w in weights.items()}
        sizes = {name: int(arrangement[name]) for name in ("width", "heads", "layers")}
    except (TypeError, ValueError, KeyError, AttributeError):
        return FORM
    size = sum(w.numel() for w in loaded.values())
    if size > BUDGET:
        return f"{TOO_LARGE}: it has {size:,} parameters, and {BUDGET:,} are allowed."
    # What the matrices of all blocks hold; no model is made that cannot be of these weights.
    if 12 * sizes["layers"] * max(1, sizes["width"]) ** 2 > size:
        return OTHER_SIZES
    try:
        with torch.device("meta"):  # no numbers are drawn that would be replaced at once
            model = new_model(sizes)
        model.load_state_dict(loaded, assign=True)
    except (ValueError, RuntimeError):
        return OTHER_SIZES
    ids = case.inputs[0] if ids is None else ids
    return symptoms(lambda symbols: model(ids[symbols])[..., ids], size, case.truth)


def symptoms(model: Callable[[Tensor], Tensor], size: int, asked: Tensor) -> Symptoms:
    """How a model of digits and the sign = replies to questions (B, 6)."""
    said = replies(model, asked)
    right = asked.sort(dim=1).values

    def share(rows: Tensor) -> float:
        return rows.float().mean().item()

    wrong = (said != right).any(1)
    first = int(wrong.float().argmax())
    question, reply = (
        "".join(map("0123456789=".__getitem__, row[first].tolist())) for row in (asked, said)
    )
    before = torch.cat([torch.full((len(asked), 1), EQUALS), said[:, :-1]], 1)
    return Symptoms(
        exact=share(~wrong),
        size=size,
        repeated=share(said == before),
        falling=share((said == right.flip(1)).all(1)),
        sorted=share((said.diff(dim=1) >= 0).all(1) & (said != EQUALS).all(1)),
        different=len(said.unique(dim=0)),
        first=(question, reply),
    )


def sorts(got, expected, case) -> Difference | None:
    """Whether enough replies are right to the last digit."""
    found = examine(got, case)
    if isinstance(found, str):
        return Difference(found)
    if found.exact >= TARGET:
        return None
    question, reply = found.first
    return Difference(
        f"of {len(case.truth)} replies, {found.exact:.1%} are right to the last digit; at least "
        f"{TARGET:.0%} is asked. The first that is not: to {question}= it says {reply}."
    )


def diagnosis(got, case: Case) -> str:
    """What a returned model shows: "right", or a kind of failure."""
    found = examine(got, case)
    if isinstance(found, str):
        return TOO_LARGE if found.startswith(TOO_LARGE) else found
    if found.exact >= TARGET:
        return "right"
    if found.exact >= NEARLY:
        return "nearly"
    if examine(got, case, torch.arange(SYMBOLS)).exact >= TARGET:
        return "the ids of the notebook"
    if found.falling >= NEARLY:
        return "from the highest to the lowest"
    if found.repeated >= 0.9 and "=" in found.first[1]:
        return "the token before"
    if found.different <= 12:
        return "one reply for all"
    if found.sorted >= SORTED:
        return "in order, other digits"
    return "digits at random"


def alike(got, expected, case) -> Difference | None:
    """Whether two answers are both right, or fail in the same way, on digits drawn at random."""
    same = not case.core or diagnosis(got, case) == diagnosis(expected, case)
    return None if same else Difference("they fail in different ways.")


def written(weights: dict[str, Tensor], ids: Tensor) -> dict[str, Tensor]:
    """The weights for symbols that are written by other ids (11,)."""
    table = torch.empty_like(weights["embedding.weight"])
    table[ids] = weights["embedding.weight"]
    return {**weights, "embedding.weight": table}


def sorter(ids):
    """The arrangement and the weights of a model that sorts, for symbols with these ids."""
    return ARRANGEMENT, written(recorded(), ids)


def with_table(change: Callable[[Tensor], Tensor]):
    """A sorter with another table of symbols."""

    def other(ids):
        weights = recorded()
        table = change(weights["embedding.weight"])
        return ARRANGEMENT, written({**weights, "embedding.weight": table}, ids)

    return other


def shaken(seed: int, by: float):
    """A sorter whose weights are all a little off, as after too little training."""

    def other(ids):
        draw = torch.Generator().manual_seed(seed)
        weights = {
            name: w + by * w.std() * torch.randn(w.shape, generator=draw)
            for name, w in recorded().items()
        }
        return ARRANGEMENT, written(weights, ids)

    return other


def echo(ids):
    """A model that says what it has just read."""
    weights = {name: torch.zeros_like(w) for name, w in recorded().items()}
    weights["norm.weight"] += 1.0
    weights["embedding.weight"] += torch.eye(SYMBOLS, ARRANGEMENT["width"])
    return ARRANGEMENT, written(weights, ids)


def silent(ids):
    """A model without any numbers, which says one symbol."""
    weights = {name: torch.zeros_like(w) for name, w in recorded().items()}
    return ARRANGEMENT, weights


def of_another_size(**sizes: int):
    """A model of another arrangement, and its weights."""

    def other(ids):
        arrangement = {**ARRANGEMENT, **sizes}
        weights = new_model(arrangement).state_dict()
        return arrangement, {name: torch.zeros_like(w) for name, w in weights.items()}

    return other


sort_task = Task(
    id="11-language-model/sort",
    title="Sort six digits",
    kind="train",
    points=5,
    minutes=35,
    answer="sorter",
    cases=cases,
    reference=sorter,
    misconceptions=(
        UNSHIFTED.by(echo),
        SHIFTED_WRONGLY.by(shaken(0, by=1.0)),
        Misconception(
            "model-too-large",
            of_another_size(width=48, layers=2),
            "Your model has more parameters than are allowed. What grows with the square of the "
            "width, and what with the number of blocks?",
        ),
        Misconception(
            "weights-of-another-model",
            any_of(
                lambda ids: ({**ARRANGEMENT, "width": 10}, written(recorded(), ids)),
                lambda ids: ({**ARRANGEMENT, "layers": 2}, written(recorded(), ids)),
            ),
            "Your weights do not fit the arrangement that you hand in with them. Which of your "
            "models are they from?",
        ),
        Misconception(
            "ids-of-the-notebook",
            lambda ids: (ARRANGEMENT, recorded()),
            "Your model sorts the symbols of the notebook, but the check gives them other ids. "
            "Which rows of the table belong to them now?",
        ),
        Misconception(
            "not-trained",
            silent,
            "Your model says the same to nearly everything. Did the loss fall, and are these the "
            "weights it fell with?",
        ),
        Misconception(
            "from-the-highest-down",
            with_table(lambda table: torch.cat([table[:EQUALS].flip(0), table[EQUALS:]])),
            "Your replies go from the highest digit to the lowest. Which order is asked for?",
        ),
        Misconception(
            "rare-questions-not-learned",
            lambda ids: (ARRANGEMENT, written(recorded("questions"), ids)),
            "Digits at random are sorted, but not a question with few different digits or one in "
            "order. How often does your training see such questions?",
        ),
        Misconception(
            "half-trained",
            any_of(shaken(0, by=0.15), shaken(1, by=0.3)),
            "Your replies are in order, and too few have the right digits. What do the loss and "
            "the rate do at the end, and which positions have an answer that can be known?",
        ),
    ),
    compare=sorts,
    alike=alike,
)
