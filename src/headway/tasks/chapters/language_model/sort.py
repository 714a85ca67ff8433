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
from headway.tasks.engine.mistakes import seen
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
FEW_DIFFERENT = "two different digits at most"
IN_ORDER = "sorted already, or from the highest to the lowest"


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
        ask(FEW_DIFFERENT, few),
        ask(IN_ORDER, order),
    ]


class Symptoms(NamedTuple):
    """How a returned model replies.

    Attributes:
        exact: the share of replies that are right to the last digit.
        size: the number of its parameters.
        repeated: the share of digits that say the token before once more.
        falling: the share of replies that are right from the highest to the lowest.
        sorted: the share of replies that are digits and never fall.
        ahead: the share of replies that begin with the second digit of the right one.
        different: how many different replies there are.
        first: a question and its reply that is wrong, or the last.
    """

    exact: float
    size: int
    repeated: float
    falling: float
    sorted: float
    ahead: float
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
        ahead=share(said[:, 0] == right[:, 1]),
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


def replies_show(shows: Callable[[Symptoms], bool]):
    """By how a returned model replies to digits drawn at random."""

    def shown(got, expected, case) -> bool:
        found = examine(got, case)
        return not case.core or (isinstance(found, Symptoms) and shows(found))

    return shown


def form_shows(message: str):
    return lambda got, expected, case: str(examine(got, case)).startswith(message)


def by_the_ids_of_the_notebook(got, expected, case) -> bool:
    return not case.core or examine(got, case, torch.arange(SYMBOLS)).exact >= TARGET


def written(weights: dict[str, Tensor], ids: Tensor) -> dict[str, Tensor]:
    """The weights for symbols that are written by other ids (11,)."""
    table = torch.empty_like(weights["embedding.weight"])
    table[ids] = weights["embedding.weight"]
    return {**weights, "embedding.weight": table}


def sorter(ids):
    """The arrangement and the weights of a model that sorts, for symbols with these ids."""
    return ARRANGEMENT, written(recorded(), ids)


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
        seen(
            "rare-questions-not-learned",
            "Digits at random are sorted, but not a question with few different digits or one in "
            "order. How often does your training see such questions?",
            only_at=(FEW_DIFFERENT, IN_ORDER),
        ),
        seen(
            "model-too-large",
            "Your model has more parameters than are allowed. What grows with the square of the "
            "width, and what with the number of blocks?",
            form_shows(TOO_LARGE),
        ),
        seen(
            "weights-of-another-model",
            "Your weights do not fit the arrangement that you hand in with them. Which of your "
            "models are they from?",
            form_shows(OTHER_SIZES),
        ),
        seen(
            "no-arrangement-or-no-weights",
            "A model can't be made of what you hand in. Which two things are asked for, and in "
            "which order?",
            form_shows(FORM),
        ),
        seen(
            "from-the-highest-down",
            "Your replies go from the highest digit to the lowest. Which order is asked for?",
            replies_show(lambda found: found.falling >= NEARLY),
        ),
        UNSHIFTED.by(
            shows=replies_show(lambda found: found.repeated >= 0.9 and "=" in found.first[1])
        ),
        seen(
            "not-trained",
            "Your model says the same to nearly everything. Did the loss fall, and are these the "
            "weights it fell with?",
            replies_show(lambda found: found.different <= 12),
        ),
        seen(
            "ids-of-the-notebook",
            "Your model sorts the symbols of the notebook, but the check gives them other ids. "
            "Which rows of the table belong to them now?",
            by_the_ids_of_the_notebook,
        ),
        SHIFTED_WRONGLY.by(shows=replies_show(lambda found: found.ahead >= 0.8)),
        seen(
            "half-trained",
            "Your replies are in order, and too few have the right digits. What do the loss and "
            "the rate do at the end, and which positions have an answer that can be known?",
            replies_show(lambda found: max(found.exact / NEARLY, found.sorted / SORTED) >= 1),
        ),
        seen(
            "replies-not-in-order",
            "Most of your replies aren't even in order. How far did the loss fall, and which token "
            "is each position of a text held to?",
            replies_show(lambda found: True),
        ),
    ),
    compare=sorts,
)
