"""Train: a model that has read about animals learns to answer, and forgets little."""

import random
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional
from torch.nn.utils.rnn import pad_sequence

from headway.models.animals import (
    ANIMALS,
    SPECIAL,
    VALUES,
    WORDS,
    WORLDS,
    World,
    ids_of,
    new_model,
    recorded,
    rows_of,
)
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.mistakes import Shows, seen
from headway.tasks.engine.task import Case, Task

TARGET, FORGOTTEN = 0.75, 0.12  # of the answers; nats a token more than before
STEPS, RATE = 150, 1.5e-3
FEWER = "fewer questions to learn from"
QUESTION, ANSWER, END = (WORDS.index(word) for word in SPECIAL)
FORM = "the state_dict of the model after training is asked for: names, and a tensor for each."
OTHER_SIZES = "the weights are not those of the model that was given."
NOT_FINITE = "there is NaN or infinity in the weights, so training has diverged."


class Truth(NamedTuple):
    """What an answer to a case is measured by.

    Attributes:
        ids: (V,), the id that stands for each word in this case.
        asked: for each length, prompts (N, T) and right answers (N, A), the end included.
        learned: the same for questions that were there to learn from.
        texts: inputs and targets of texts that nobody was given.
        before: the loss on them before training.
        weights: those before training.
    """

    ids: Tensor
    asked: list[tuple[Tensor, Tensor]]
    learned: list[tuple[Tensor, Tensor]]
    texts: tuple[Tensor, Tensor]
    before: float
    weights: dict[str, Tensor]


def questions_of(world: World, animals) -> list[tuple[list[int], list[int]]]:
    """Prompts and answers with their end, for all facts about some animals."""
    made = []
    for animal in animals:
        for kind in VALUES:
            question, answer = map(ids_of, world.conversation(animal, kind))
            made.append(([QUESTION, *question, ANSWER], [*answer, END]))
    return made


def by_length(questions) -> list[tuple[Tensor, Tensor]]:
    """Those of one length side by side."""
    groups = {}
    for prompt, answer in questions:
        groups.setdefault((len(prompt), len(answer)), []).append((prompt, answer))
    return [tuple(map(torch.tensor, zip(*group, strict=True))) for group in groups.values()]


def written(weights: Mapping[str, Tensor], ids: Tensor) -> dict[str, Tensor]:
    """The weights for words that are written by other ids (V,)."""
    table = torch.empty_like(weights["embedding.weight"])
    table[ids] = weights["embedding.weight"]
    return {**weights, "embedding.weight": table}


def tune_cases(rng: np.random.Generator) -> list[Case]:
    def draw(label, animals, **options):
        number = int(rng.choice(WORLDS))
        world, drawn = World(number), random.Random(int(rng.integers(2**31)))
        names = drawn.sample(ANIMALS, len(ANIMALS))
        learned, asked = (questions_of(world, part) for part in (names[:animals], names[20:]))
        words = np.arange(1, QUESTION)
        ids = torch.from_numpy(np.r_[0, rng.permutation(words), QUESTION, ANSWER, END])
        texts = [ids_of(world.draw_text(drawn)) for _ in range(400)]
        weights = written(recorded(number), ids)
        inputs, targets = rows_of([" ".join(WORDS[i] for i in text) for text in texts[200:]])
        truth = Truth(
            ids,
            *map(by_length, (asked, learned)),
            (inputs, targets),
            text_loss(load(recorded(number)), inputs, targets),
            recorded(number),
        )
        return Case(
            label,
            weights,
            [ids[prompt + answer].tolist() for prompt, answer in learned],
            [ids[[0, *text, 0]].tolist() for text in texts[:200]],
            truth=truth,
            **options,
        )

    return [draw("new questions, and old texts", 20, core=True), draw(FEWER, 15)]


def load(weights: Mapping[str, Tensor]):
    """The model with these weights."""
    model = new_model()
    model.load_state_dict(weights)
    return model.eval()


@torch.no_grad()
def text_loss(model, inputs: Tensor, targets: Tensor) -> float:
    """Nats a token of texts."""
    return functional.cross_entropy(model(inputs).mT, targets).item()


@torch.no_grad()
def replies(model, prompts: Tensor, steps: int) -> Tensor:
    """The likeliest tokens (N, steps) after prompts (N, T)."""
    ids = prompts
    for _ in range(steps):
        ids = torch.cat([ids, model(ids)[:, -1:].argmax(-1)], 1)
    return ids[:, prompts.shape[1] :]


class Symptoms(NamedTuple):
    """How a returned model does.

    Attributes:
        right: the share of new questions whose answer is right, its end included.
        begun: the share whose answer is right up to the end, whatever comes then.
        learned: the share of right answers to questions that there were to learn from.
        forgotten: nats a token of texts more than before.
        moved: whether any weight has changed.
        first: a question, and the answer that is wrong, or the last.
    """

    right: float
    begun: float
    learned: float
    forgotten: float
    moved: bool
    first: tuple[str, str]


def examine(got, case: Case) -> Symptoms | str:
    """How the returned model does, or what is wrong with its form."""
    truth = case.truth
    try:
        weights = {name: torch.as_tensor(np.asarray(w)).float() for name, w in got.items()}
    except (TypeError, ValueError, AttributeError, RuntimeError):
        return FORM
    if {n: w.shape for n, w in weights.items()} != {n: w.shape for n, w in truth.weights.items()}:
        return OTHER_SIZES
    if not all(w.isfinite().all() for w in weights.values()):
        return NOT_FINITE
    weights["embedding.weight"] = weights["embedding.weight"][truth.ids]
    model = load(weights)
    right, begun, wrong = [], [], ("", "")
    for prompts, answers in truth.asked:
        said = replies(model, prompts, answers.shape[1])
        same = said == answers
        right += same.all(1).tolist()
        begun += same[:, :-1].all(1).tolist()
        at = int(same.all(1).float().argmin())
        if not wrong[1] or not same[at].all():
            wrong = tuple(" ".join(WORDS[i] for i in row[at].tolist()) for row in (prompts, said))
    learned = [
        one
        for prompts, answers in truth.learned
        for one in (replies(model, prompts, answers.shape[1]) == answers).all(1).tolist()
    ]
    return Symptoms(
        *(float(np.mean(share)) for share in (right, begun, learned)),
        text_loss(model, *truth.texts) - truth.before,
        any(not torch.equal(w, truth.weights[name]) for name, w in weights.items()),
        wrong,
    )


def answers_and_remembers(got, expected, case) -> Difference | None:
    """Whether enough answers are right, and little is forgotten."""
    found = examine(got, case)
    if isinstance(found, str):
        return Difference(found)
    if found.right >= TARGET and found.forgotten <= FORGOTTEN:
        return None
    question, answer = found.first
    example = f" To {question} it says {answer}." if found.right < TARGET else ""
    return Difference(
        f"of {sum(len(a) for _, a in case.truth.asked)} new questions, {found.right:.0%} are "
        f"answered rightly, and at least {TARGET:.0%} are asked; texts cost "
        f"{found.forgotten:+.2f} nats a token, and at most {FORGOTTEN:+.2f} are allowed.{example}"
    )


def learn_to_answer(weights, conversations, texts, steps=STEPS, rate=RATE, **options):
    """Conversations in each batch, of which the answers count, and texts that were read before."""
    rows = [marked(row, **options) for row in conversations]
    rows += [(text, text[1:]) for text in texts] if texts else []
    model = load(weights).train()
    inputs = pad_sequence([torch.tensor(row[:-1]) for row, _ in rows], True, 0)
    targets = pad_sequence([torch.tensor(row) for _, row in rows], True, -100)
    generator = torch.Generator().manual_seed(0)
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=steps)
    for _ in range(steps):
        batch = torch.randint(len(conversations), (32,), generator=generator)
        if texts:
            old = torch.randint(len(conversations), len(rows), (32,), generator=generator)
            batch = torch.cat([batch, old])
        loss = functional.cross_entropy(model(inputs[batch]).mT, targets[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    return model.state_dict()


def marked(row, everything=False, end=True):
    """A conversation of one turn, and its targets."""
    first = row.index(ANSWER)
    targets = [t if everything or at > first else -100 for at, t in enumerate(row)][1:]
    return row, targets if end else [*targets[:-1], -100]


def shown(tells) -> Shows:
    """By how a returned model does: tells(symptoms)."""

    def shows(got, expected, case) -> bool:
        found = examine(got, case)
        return isinstance(found, Symptoms) and tells(found)

    return shows


tune_task = Task(
    id="17-answering/answer",
    title="Answer without forgetting",
    kind="train",
    points=5,
    minutes=35,
    answer="learn_to_answer",
    cases=tune_cases,
    reference=learn_to_answer,
    misconceptions=(
        seen(
            "weights-of-another-model",
            "What you return isn't the state of the model that was given: names and tensors of the "
            "same shapes. Has something been added to it that isn't merged yet?",
            lambda got, expected, case: examine(got, case) in (FORM, OTHER_SIZES),
        ),
        seen(
            "weights-unchanged",
            "Your weights are those that were given. Which model did you train, and whose weights "
            "do you return?",
            shown(lambda found: not found.moved),
        ),
        seen(
            "ends-not-learned",
            "Your answers are right up to where they should end, and there they go on. Does the "
            "end count in your loss, and is it trained for long enough?",
            shown(lambda found: found.begun >= 0.6 and found.right < found.begun - 0.4),
        ),
        seen(
            "answers-learned-by-heart",
            "Questions that your model has learned from are answered, and too few of the others, "
            "though their facts were read. Which of your choices lets it learn the questions "
            "instead of how to answer: the rate, the steps, or what counts?",
            shown(lambda found: found.right < TARGET <= found.learned),
        ),
        seen(
            "half-trained",
            "Even questions that there were to learn from are not answered rightly. How far did "
            "the loss fall, and which targets are in it?",
            shown(lambda found: found.right < TARGET),
        ),
        seen(
            "texts-forgotten",
            "New questions are answered, and texts that the model could go on with before cost too "
            "much. What in your training holds it to them, and which of their tokens are in the "
            "loss?",
            shown(lambda found: found.forgotten > FORGOTTEN),
        ),
    ),
    compare=answers_and_remembers,
)
