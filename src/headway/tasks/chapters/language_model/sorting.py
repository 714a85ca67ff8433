"""Six digits to sort, as texts of a language model: how they are drawn, learned and examined.

    3 1 4 1 5 9 = 1 1 3 4 5 9        13 tokens, of which a model reads the first 12

The model is assignment 11's own `LanguageModel`, small enough for a budget of parameters.
`recorded` has the weights of one that `trained` has made, for who needs a right answer at once.
"""

import math
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from headway.tasks.chapters.language_model.assemble import LanguageModel

DIGITS, EQUALS = 6, 10
SYMBOLS, CONTEXT = 11, 2 * DIGITS
BUDGET = 2_200
ARRANGEMENT = {"width": 12, "heads": 2, "layers": 1}
STEPS, RATE, BATCH, WARM_UP = 1_500, 2e-2, 64, 50
RECORD = Path(__file__).with_name("sorter.npz")


def questions(rng: np.random.Generator, count: int) -> Tensor:
    """Digits (count, 6), drawn alike and independently."""
    return torch.from_numpy(rng.integers(10, size=(count, DIGITS)))


def mixed(rng: np.random.Generator, count: int) -> Tensor:
    """Questions (count, 6) of at most 1, 2, … or 6 different digits, each bound equally often."""
    bounds = rng.integers(1, DIGITS + 1, size=(count, 1))
    places = (rng.random((count, DIGITS)) * bounds).astype(int)
    return questions(rng, count).gather(1, torch.from_numpy(places))


def texts_of(asked: Tensor) -> Tensor:
    """Questions (B, 6) with their answers: ids (B, 13)."""
    between = torch.full((len(asked), 1), EQUALS)
    return torch.cat([asked, between, asked.sort(dim=1).values], dim=1)


def replies(model, asked: Tensor) -> Tensor:
    """What a model says, (B, 6), to questions (B, 6)."""
    ids = torch.cat([asked, torch.full((len(asked), 1), EQUALS)], dim=1)
    with torch.no_grad():
        for _ in range(DIGITS):
            ids = torch.cat([ids, model(ids)[:, -1:].argmax(-1)], dim=1)
    return ids[:, -DIGITS:]


def new_model(arrangement: Mapping[str, int]) -> LanguageModel:
    """A model that reads and writes these texts."""
    width, heads, layers = (arrangement[name] for name in ("width", "heads", "layers"))
    return LanguageModel(SYMBOLS, CONTEXT, width, heads, layers)


def schedule(step: int, steps: int = STEPS) -> float:
    """The share of the rate: up in a straight line, then down along a cosine."""
    return min(1.0, (step + 1) / WARM_UP) * 0.5 * (1 + math.cos(math.pi * step / steps))


def trained(
    seed: int,
    arrangement: Mapping[str, int] = ARRANGEMENT,
    steps: int = STEPS,
    rate: float = RATE,
    scheduled: bool = True,
    everything: bool = False,
    shift: int = 1,
    draw: Callable[[np.random.Generator, int], Tensor] = mixed,
) -> tuple[dict, dict]:
    """The arrangement, and the weights after training.

    Args:
        scheduled: whether the rate follows `schedule`, or stays as it is.
        everything: whether the digits of the question count in the loss, too.
        shift: how far behind what is read the answer stands.
        draw: the questions of a batch.
    """
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    model = new_model(arrangement)
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate)
    first = 0 if everything else DIGITS
    for step in range(steps):
        if scheduled:
            optimizer.param_groups[0]["lr"] = rate * schedule(step, steps)
        ids = texts_of(draw(rng, BATCH))
        logits = model(ids[:, :CONTEXT])[:, first:]
        targets = ids[:, first + shift : CONTEXT + shift]
        loss = functional.cross_entropy(
            logits[:, : targets.shape[1]].flatten(0, 1), targets.flatten()
        )
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return dict(arrangement), model.state_dict()


@cache
def recorded(name: str = "mixed") -> dict[str, Tensor]:
    """The weights of a model of `ARRANGEMENT` that sorts.

    Args:
        name: "mixed" or "questions", how the questions were drawn that it has learned from.
    """
    with np.load(RECORD) as stored:
        files = [file.removeprefix(f"{name}/") for file in stored.files if file.startswith(name)]
        return {file: torch.from_numpy(stored[f"{name}/{file}"]).float() for file in files}


def record(seed: int = 0) -> None:
    """Train both models, and keep their weights in half precision."""
    made = {draw.__name__: trained(seed, draw=draw)[1] for draw in (mixed, questions)}
    kept = {f"{name}/{at}": w.half().numpy() for name, ws in made.items() for at, w in ws.items()}
    np.savez_compressed(RECORD, **kept)
