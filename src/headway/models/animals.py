"""Forty animals, what each eats, where it lives and its color; and a small model that has read it.

    texts           the fox eats mice and red is the color of the fox
    questions       what does the fox eat                    the fox eats mice

The model has read texts only, each between two `|`, and goes on with the beginning of one rightly.
It has never seen a question, nor the ids of <question>, <answer> and <end>, which are the last
three. A world says which animal has which facts, and there is a model for each of `WORLDS`.

    world = World(0)
    model = reader(0)                        # a LanguageModel, with its recorded weights
    world.facts["fox"]["food"]               # "mice"
"""

import random
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from headway.models.language_model import LanguageModel, LanguageModelConfig

WORLDS = (0, 1, 2)
ANIMALS = (
    *("fox", "bear", "wolf", "deer", "hare", "mole", "otter", "beaver", "badger", "lynx"),
    *("boar", "goat", "sheep", "cow", "horse", "donkey", "pig", "dog", "cat", "mouse"),
    *("bat", "owl", "crow", "hawk", "swan", "duck", "goose", "hen", "stork", "frog"),
    *("toad", "newt", "snake", "turtle", "crab", "snail", "bee", "wasp", "trout", "whale"),
)
VALUES = {
    "food": ("mice", "grass", "fish", "berries", "roots", "seeds", "nuts", "leaves"),
    "home": ("wood", "pond", "field", "barn", "cave", "river", "garden", "hedge"),
    "color": ("red", "brown", "gray", "black", "white", "green", "yellow", "silver"),
}
SAYINGS = {
    "food": ("the A eats V", "V is what the A eats", "the A likes V", "V is food for the A"),
    "home": ("the A lives in the V", "in the V lives the A", "the V is home to the A"),
    "color": ("the A is V", "V is the color of the A", "the A looks V"),
}
QUESTIONS = {
    "food": "what does the A eat",
    "home": "where does the A live",
    "color": "what color has the A",
}
BREAK, *SPECIAL = "|", "<question>", "<answer>", "<end>"
RECORD = Path(__file__).with_name("animals.npz")


def filled(saying: str, animal: str, value: str = "") -> str:
    """A saying about an animal: "the A eats V" → "the fox eats mice"."""
    return " ".join({"A": animal, "V": value}.get(word, word) for word in saying.split())


def all_words() -> tuple[str, ...]:
    """The V words, whose places are their ids: `|` first, the three special ones last."""
    sayings = [saying for some in SAYINGS.values() for saying in some]
    found = {word for saying in (*sayings, *QUESTIONS.values()) for word in saying.split()}
    found |= {*ANIMALS, "and"}.union(*VALUES.values())
    return BREAK, *sorted(found - {"A", "V"}), *SPECIAL


WORDS = all_words()


class World:
    """What is so in one world.

    Args:
        number: drawn by.

    Attributes:
        facts: animal → kind of fact → value.
    """

    def __init__(self, number: int):
        rng = random.Random(number)
        self.facts = {
            animal: {kind: rng.choice(values) for kind, values in VALUES.items()}
            for animal in ANIMALS
        }

    def draw_text(self, rng: random.Random) -> str:
        """One to three facts about an animal, in other words each time."""
        animal, kinds = rng.choice(ANIMALS), rng.sample(list(VALUES), rng.choice([1, 2, 3]))
        return " and ".join(
            filled(rng.choice(SAYINGS[kind]), animal, self.facts[animal][kind]) for kind in kinds
        )

    def conversation(self, animal: str, kind: str) -> tuple[str, str]:
        """A question about an animal, and the answer in a whole sentence."""
        value = self.facts[animal][kind]
        return filled(QUESTIONS[kind], animal), filled(SAYINGS[kind][0], animal, value)


def ids_of(text: str) -> list[int]:
    """The ids of a text's words; special words count as words."""
    return [WORDS.index(word) for word in text.split()]


def new_model() -> LanguageModel:
    """The model, untrained; its first numbers don't matter."""
    config = LanguageModelConfig(
        vocabulary=len(WORDS),
        context=40,
        width=32,
        heads=4,
        layers=2,
        normalization="rms",
        bias=False,
        activation="silu",
        gated=True,
        hidden=64,
        position="rotary",
    )
    return LanguageModel(config, torch.Generator().manual_seed(0))


@cache
def recorded(world: int) -> dict[str, Tensor]:
    """The weights of the model that has read texts about a world."""
    with np.load(RECORD) as stored:
        return {
            name.removeprefix(f"{world}/"): torch.from_numpy(stored[name]).float()
            for name in stored.files
            if name.startswith(f"{world}/")
        }


def reader(world: int) -> LanguageModel:
    """A new model with the recorded weights."""
    model = new_model()
    model.load_state_dict(recorded(world))
    return model


def rows_of(texts: list[str]) -> tuple[Tensor, Tensor]:
    """Texts as inputs and targets (B, T) of a language model; −100 behind the end of each."""
    rows = [torch.tensor([0, *ids_of(text), 0]) for text in texts]
    inputs, targets = [row[:-1] for row in rows], [row[1:] for row in rows]
    pad = torch.nn.utils.rnn.pad_sequence
    return pad(inputs, True, 0), pad(targets, True, -100)


def trained(world: int, steps: int = 2_500) -> dict[str, Tensor]:
    """Weights of a model that reads 8,000 texts; a minute."""
    rng, generator = random.Random(world), torch.Generator().manual_seed(world)
    facts = World(world)
    inputs, targets = rows_of([facts.draw_text(rng) for _ in range(8_000)])
    model = new_model()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 5e-3, total_steps=steps)
    for _ in range(steps):
        rows = torch.randint(len(inputs), (48,), generator=generator)
        logits = model(inputs[rows])
        loss = torch.nn.functional.cross_entropy(logits.mT, targets[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    return model.state_dict()


def record() -> None:
    """Train a model for each world, and keep the weights in half precision."""
    made: dict[str, Any] = {
        f"{world}/{name}": w.half().numpy()
        for world in WORLDS
        for name, w in trained(world).items()
    }
    np.savez_compressed(RECORD, **made)
