"""Train: know more facts than a dense network of the same work can hold."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from headway.tasks.chapters.experts.facts_model import SIZES, Facts, by_hand, used_by_a_fact
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.mistakes import Shows, seen
from headway.tasks.engine.requirements import arguments_kept
from headway.tasks.engine.task import Case, Task

TARGET = 0.95  # of the facts
STEPS, RATE = 600, 0.01
EXPERTS, EVEN = 12, 0.3
MOST_EXPERTS, MOST_HIDDEN = 128, 512
FORM = (
    "two things are asked for: a dictionary of experts, active, hidden and renormalized, and the "
    "state_dict of the Facts that was trained with it."
)
OTHER_SIZES = "the weights are those of a Facts with other sizes than you say."


def sizes_within(languages, words, budget, experts=EXPERTS, active=1, renormalized=False):
    """Sizes of a mixture with as many hidden numbers as the budget allows."""
    inputs = languages + words
    hidden = (budget - inputs * experts) // (active * (inputs + words))
    return {
        "experts": experts,
        "active": active,
        "hidden": hidden,
        "renormalized": renormalized,
    }


def unevenness(scores: Tensor, active: int) -> Tensor:
    """The balancing loss of scores (N, E)."""
    chosen = scores.topk(active).indices.flatten()
    share = torch.bincount(chosen, minlength=scores.shape[1]) / len(scores)
    return scores.shape[1] * (share * scores.softmax(-1).mean(0)).sum()


def trained(ids, answers, languages, words, budget, even=EVEN, steps=STEPS, rate=RATE, **sizes):
    """The sizes, and the weights after some steps of Adam on all facts at once."""
    sizes = sizes_within(languages, words, budget, **sizes)
    model = Facts(languages, words, **sizes)
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=rate, total_steps=steps)
    for _ in range(steps):
        loss = functional.cross_entropy(model(ids), answers)
        if even:
            loss = loss + even * unevenness(model.scores, sizes["active"])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    return sizes, model.state_dict()


def draw_facts(rng: np.random.Generator, languages: int, words: int) -> tuple[Tensor, Tensor]:
    """All pairs (N, 2) in a drawn order, and answers (N,): in each language, each word once."""
    pairs = np.stack(np.meshgrid(range(languages), range(words), indexing="ij"), -1).reshape(-1, 2)
    answers = np.argsort(rng.random((languages, words)), axis=1)
    order = rng.permutation(len(pairs))
    pairs = pairs[order]
    return torch.from_numpy(pairs), torch.from_numpy(answers[pairs[:, 0], pairs[:, 1]])


def cases(rng: np.random.Generator) -> list[Case]:
    def draw(label, languages, words, budget, core=False):
        facts = draw_facts(rng, languages, words)
        return Case(label, *facts, languages, words, budget, core=core)

    return [
        draw("thirty languages of thirty words", 30, 30, 1_800, core=True),
        draw("fewer languages, a smaller budget", 24, 30, 1_500),
        arguments_kept(*draw_facts(rng, 3, 4), 3, 4, 200),
    ]


class Symptoms(NamedTuple):
    """How a returned model does on the facts.

    Attributes:
        right: the share of facts that it knows.
        used: parameters that a fact meets.
        budget: how many it may meet.
        kept: parameters in all.
        experts, active: E and k.
        busiest: the share of facts that ask the expert that is asked most.
        idle: the share of experts that are asked for less than a tenth of an even share.
    """

    right: float
    used: int
    budget: int
    kept: int
    experts: int
    active: int
    busiest: float
    idle: float


def examine(got, case: Case) -> Symptoms | str:
    """What the returned model does on the case's facts, or what is wrong with its form."""
    ids, answers, languages, words, budget = case.inputs
    try:
        given, weights = got
        *numbers, renormalized = (given[name] for name in SIZES)
    except (TypeError, ValueError, KeyError, IndexError):
        return FORM
    whole = all(type(number) in (int, float) and number % 1 == 0 for number in numbers)
    if not whole or type(renormalized) is not bool or not isinstance(weights, Mapping):
        return FORM
    experts, active, hidden = map(int, numbers)
    if not (1 <= active <= experts <= MOST_EXPERTS and 1 <= hidden <= MOST_HIDDEN):
        return (
            f"sizes of 1 ≤ active ≤ experts ≤ {MOST_EXPERTS} and 1 ≤ hidden ≤ {MOST_HIDDEN} are "
            "asked for."
        )
    with torch.device("meta"):  # no numbers are drawn that would be replaced at once
        model = Facts(languages, words, experts, active, hidden, renormalized)
    try:
        loaded = {name: torch.as_tensor(w).float() for name, w in weights.items()}
    except (TypeError, ValueError, RuntimeError):
        return FORM
    try:
        model.load_state_dict(loaded, assign=True)
    except RuntimeError:
        return OTHER_SIZES
    ids, answers = torch.as_tensor(ids), torch.as_tensor(answers)
    with torch.no_grad():
        right = (model(ids).argmax(-1) == answers).float().mean().item()
    asked = torch.bincount(model.scores.topk(active).indices.flatten(), minlength=experts)
    shares = asked / len(ids)
    return Symptoms(
        right,
        used_by_a_fact(languages, words, given),
        budget,
        sum(w.numel() for w in loaded.values()),
        experts,
        active,
        shares.max().item(),
        (shares < 0.1 * active / experts).float().mean().item(),
    )


def knows_them(got, expected, case) -> Difference | None:
    """Whether enough facts are known, within the budget."""
    found = examine(got, case)
    if isinstance(found, str):
        return Difference(found)
    if found.used > found.budget:
        return Difference(f"a fact meets {found.used:,} parameters; {found.budget:,} are allowed.")
    if found.right >= TARGET:
        return None
    return Difference(
        f"of the facts, {found.right:.1%} are right; {TARGET:.0%} are asked. A fact meets "
        f"{found.used:,} of {found.kept:,} parameters. The expert that is asked most gets "
        f"{found.busiest:.0%} of the facts; with all alike it would be "
        f"{found.active / found.experts:.0%}."
    )


def told(shows: Callable[[Symptoms], bool]) -> Shows:
    """A predicate of how a model does; what is no model shows nothing."""

    def tell(got, expected, case) -> bool:
        found = examine(got, case)
        return not isinstance(found, str) and shows(found)

    return tell


def by_hand_answer(ids, answers, languages, words, budget):
    """A right answer that needs no training."""
    table = torch.zeros(languages, words, dtype=torch.int64)
    table[ids[:, 0], ids[:, 1]] = answers
    weights = by_hand(table)
    sizes = {"experts": len(weights["wide"]), "active": 1, "hidden": 8, "renormalized": False}
    return sizes, weights


facts_task = Task(
    id="18-experts/facts",
    title="Nine hundred facts for little work",
    kind="train",
    points=5,
    minutes=35,
    answer="learn_facts",
    cases=cases,
    reference=by_hand_answer,
    misconceptions=(
        seen(
            "budget-exceeded",
            "A fact meets more parameters than the budget of this case. Which does it meet before "
            "an expert is chosen, and which of your sizes would change with another budget?",
            told(lambda found: found.used > found.budget),
        ),
        seen(
            "room-too-small",
            "Your model has too few weights in all. A fact of thirty words takes five bits: how "
            "many can a weight hold, and how can there be more weights than a fact meets?",
            told(lambda found: found.kept < 5_500),
        ),
        seen(
            "not-trained",
            "Your model knows hardly more than a guess. Does the loss fall far in your steps, and "
            "are the weights that you return those at their end?",
            told(lambda found: found.right < 0.1),
        ),
        seen(
            "favorite-left",
            "One expert gets several times its share, others next to nothing. The favorite begins "
            "2 above the others: how strong is your push, and how far can your steps move a score?",
            told(lambda found: found.busiest > min(0.6, 2.5 * found.active / found.experts)),
        ),
        seen(
            "not-all-learned",
            "The experts are there and used, and some facts are still wrong. Is the loss falling "
            "at the end, or is it something else than the facts that your steps make smaller?",
            told(lambda found: found.right < TARGET),
        ),
    ),
    compare=knows_them,
)
