"""Train: which of two words comes first, a person or an animal."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from headway.tasks.engine.compare import Difference
from headway.tasks.engine.mistakes import Shows, seen
from headway.tasks.engine.requirements import arguments_kept
from headway.tasks.engine.task import Case, Task

TARGET = 0.97
STEPS, RATE, BATCH, WIDTH, HIDDEN = 400, 1e-2, 128, 16, 32
OTHER, PERSON, ANIMAL = range(3)
COUNT = "one answer for each new sentence is asked for, True or False."
NUMBERS = "the answers are numbers; True or False is asked for, or 1 or 0."


def sentences(rng: np.random.Generator, count: int, length: int, kinds: np.ndarray):
    """Ids (N, T), and whether the person comes first, (N,).

    Each sentence holds one person and one animal at places drawn at random, and other words.

    Args:
        kinds: OTHER, PERSON or ANIMAL for each word of the vocabulary, (V,).
    """
    words = [np.flatnonzero(kinds == kind) for kind in (OTHER, PERSON, ANIMAL)]
    ids = rng.choice(words[OTHER], size=(count, length))
    places = rng.random((count, length)).argsort(axis=1)[:, :2]
    rows = np.arange(count)
    for column, kind in enumerate((PERSON, ANIMAL)):
        ids[rows, places[:, column]] = rng.choice(words[kind], size=count)
    return torch.from_numpy(ids), torch.from_numpy(places[:, 0] < places[:, 1])


class Reader(nn.Module):
    """Mean over the words of a small network of word and place: (B, T) → (B,).

    Args:
        words, length: V and N.
        places: whether places are added to the words.
        bent: whether the network of a word has its ReLU.
    """

    def __init__(self, words: int, length: int, places: bool = True, bent: bool = True):
        super().__init__()
        self.word = nn.Embedding(words, WIDTH)
        self.place = nn.Embedding(length, WIDTH)
        self.first, self.second = nn.Linear(WIDTH, HIDDEN), nn.Linear(HIDDEN, 1)
        self.places, self.bent = places, bent

    def forward(self, ids: Tensor) -> Tensor:
        x = self.word(ids)
        if self.places:
            x = x + self.place.weight[: ids.shape[1]]
        hidden = self.first(x)
        hidden = hidden.relu() if self.bent else hidden
        return self.second(hidden.mean(1))[:, 0]


def trained(ids, person_first, new_ids, words, steps=STEPS, **options):
    """What a `Reader` answers for new sentences, trained on the known ones."""
    model = Reader(words, ids.shape[1], **options)
    optimizer = torch.optim.Adam(model.parameters(), lr=RATE)
    for _ in range(steps):
        rows = torch.randint(len(ids), (BATCH,))
        loss = functional.binary_cross_entropy_with_logits(
            model(ids[rows]), person_first[rows].float()
        )
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        return model(new_ids) > 0


def learn_order(ids, person_first, new_ids, words):
    """The right answers without training: find out what each word is, and look who is first.

    A person far to the left speaks for True, an animal far to the left for False.
    """
    place = torch.arange(ids.shape[1]) - (ids.shape[1] - 1) / 2
    speaks = ((person_first.float() - 0.5)[:, None] * place).flatten()
    by_word = torch.zeros(words).index_add(0, ids.flatten(), speaks)
    by_word = by_word / torch.bincount(ids.flatten(), minlength=words).clamp(min=1)
    kinds = (by_word / by_word.abs().max()).round()  # −1 a person, 1 an animal, 0 another word
    return (kinds[new_ids] * place).sum(1) > 0


def cases(rng: np.random.Generator) -> list[Case]:
    def draw(label, words, length, core=False):
        kinds = rng.permutation(np.arange(words) % 3)
        ids, first = sentences(rng, 4_500, length, kinds)
        asked = ids[4_000:]
        both = torch.cat([asked, asked.flip(1)])  # each sentence, and the same from its end
        truth = torch.cat([first[4_000:], ~first[4_000:]])
        return Case(label, ids[:4_000], first[:4_000], both, words, truth=truth, core=core)

    def size(low, high):
        return int(rng.integers(low, high))

    few = sentences(rng, 200, 4, np.arange(6) % 3)
    return [
        draw("eight to ten words in a sentence", 3 * size(7, 9), size(8, 11), core=True),
        draw("five or six words in a sentence", 3 * size(4, 6), size(5, 7)),
        draw("two words and nothing else", 12, 2),
        arguments_kept(*few, few[0][:50].clone(), 6),
    ]


class Symptoms(NamedTuple):
    """How answers to new sentences do.

    Attributes:
        accuracy: share of right ones.
        blind: share of sentences that get the same answer when they are read from their end.
    """

    accuracy: float
    blind: float


def examine(answers, case: Case) -> Symptoms | str:
    """How the answers do, or what is wrong with their form."""
    try:
        answers = np.array(answers)
    except ValueError:  # ragged
        return COUNT
    if answers.shape != tuple(case.truth.shape) or answers.dtype.kind not in "biuf":
        return COUNT
    if not np.isin(answers, (0, 1)).all():
        return NUMBERS
    answers, truth = answers.astype(bool), case.truth.numpy()
    one, turned = np.split(answers, 2)
    return Symptoms((answers == truth).mean(), (one == turned).mean())


def answers_right(got, expected, case) -> Difference | None:
    """Whether the share of right answers reaches the target."""
    found = examine(got, case)
    if isinstance(found, str):
        return Difference(found)
    if found.accuracy >= TARGET:
        return None
    return Difference(
        f"of {len(case.truth):,} new sentences, {found.accuracy:.1%} are answered right; at least "
        f"{TARGET:.0%} is asked. {found.blind:.0%} of them get the same answer when they are "
        "turned round, and none should."
    )


def told(shows: Callable[[Symptoms], bool]) -> Shows:
    """A predicate of how answers do; what are no answers shows nothing."""
    return lambda got, expected, case: shows(examine(got, case))


first_of_two_task = Task(
    id="07-positions/first-of-two",
    title="Who comes first?",
    kind="train",
    points=5,
    minutes=25,
    answer="learn_order",
    cases=cases,
    reference=learn_order,
    misconceptions=(
        seen(
            "answers-for-other-sentences",
            "You don't give one answer for each new sentence. Which shape is asked for, and for "
            "which sentences?",
            lambda got, expected, case: examine(got, case) == COUNT,
        ),
        seen(
            "scores-for-answers",
            "You give scores or probabilities. Above which value does your model say that the "
            "person comes first?",
            lambda got, expected, case: examine(got, case) == NUMBERS,
        ),
        seen(
            "order-blind",
            "A sentence and its reverse get the same answer: did you train long enough? If so, up "
            "to which line does your model know which word is where?",
            told(lambda found: found.blind > 0.9),
        ),
        seen(
            "answer-turned-round",
            "Nearly all of your answers are wrong, so your model has learned the order. Who comes "
            "first when its output is large, and who does True stand for?",
            told(lambda found: found.accuracy <= 1 - TARGET),
        ),
        seen(
            "half-trained",
            "Your answers are better than a guess, but not good enough. Is the loss still falling "
            "at the end, or jumping, or stuck?",
            told(lambda found: found.accuracy >= 0.58),
        ),
        seen(
            "no-better-than-a-guess",
            "Your answers change with the order of the words, but are no better than a guess: did "
            "you train long enough? If so, does each sentence meet its own answer?",
            told(lambda found: found.accuracy < 0.58),
        ),
    ),
    compare=answers_right,
)
