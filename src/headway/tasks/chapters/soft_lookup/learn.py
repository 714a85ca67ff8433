"""Train: learn the scores by which the votes are mixed."""

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from headway.ngram.examples import examples_after
from headway.ngram.skipbigram import SkipBigrams
from headway.tasks.chapters.soft_lookup.mistakes import DOUBLE_SOFTMAX, UPHILL
from headway.tasks.chapters.soft_lookup.mix import mix
from headway.tasks.engine.compare import Difference, at_most
from headway.tasks.engine.mistakes import Misconception, changed
from headway.tasks.engine.task import Case, Task
from headway.text.corpus.commands import CHECK_LOG, CHECK_LOGS
from headway.text.vocabulary import Vocabulary

TARGET = 0.99
STEPS, RATE = 300, 0.1
ALIKE = 0.02  # probability of the right word, on average over prefixes


class Lookups(NamedTuple):
    """Votes (F, W), and prefixes that look them up: features, present (B, N), targets (B,)."""

    votes: Tensor
    features: Tensor
    present: Tensor
    targets: Tensor


def lookups(texts: list[str], new_texts: list[str]) -> tuple[Lookups, Lookups]:
    """What is known and asked after *ran*, in the texts that are counted and in new ones."""
    words = Vocabulary(" ".join(texts).split())
    model = SkipBigrams(map(words.encode, texts), len(words))
    votes = torch.from_numpy(model.votes()).float()
    return tuple(
        Lookups(
            votes.clone(),
            *map(
                torch.from_numpy,
                examples_after(model, map(words.encode, some), words.id("ran")),
            ),
        )
        for some in (texts, new_texts)
    )


def learn_mask(votes, features, present, targets):
    """Scores (F,) by gradient descent on the mean of −ln p[target]; the votes stay as they are."""
    scores = torch.zeros(len(votes), requires_grad=True)
    optimizer = torch.optim.Adam([scores], lr=RATE)
    for _ in range(STEPS):
        p = mix(scores, votes, features, present)
        loss = -p.gather(1, targets[:, None]).log().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return scores.detach()


def learn_cases(rng: np.random.Generator) -> list[Case]:
    texts = CHECK_LOGS.sample(rng, 300)
    both = list(CHECK_LOG.probabilities())
    known, new = lookups(texts[:200], texts[200:])
    few, same = lookups(both, both)
    return [
        Case("new sentences of the same kind", *known, truth=new, core=True),
        Case("the two sentences of the chapter", *few, truth=same),
    ]


def of_the_right_word(scores: np.ndarray, new: Lookups) -> np.ndarray:
    """What the right word gets of probability 1 after each prefix, (B,)."""
    scores = torch.from_numpy(np.asarray(scores, dtype=np.float32))
    mixed = mix(scores, new.votes, new.features, new.present)
    return mixed.gather(1, new.targets[:, None])[:, 0].numpy()


def lacking(scores: np.ndarray, case: Case) -> float:
    """How much the right word lacks of probability 1, on average."""
    return 1 - float(of_the_right_word(scores, case.truth).mean())


def _alike(got, expected, case) -> Difference | None:
    """Whether two masks give the right words much the same."""
    try:
        mine = np.asarray(got, dtype=np.float32)
    except (TypeError, ValueError):
        return Difference("these are no scores.")
    if mine.shape != np.shape(expected):
        return Difference("the shapes differ.")
    if _sums_to_one(mine) != _sums_to_one(expected):
        return Difference("one of the two returns weights.")
    one, other = (of_the_right_word(scores, case.truth) for scores in (mine, expected))
    # Of one prefix in a hundred the outcome can hang on the number of steps.
    both_nan = np.isnan(one) & np.isnan(other)
    apart = float(np.where(both_nan, 0, np.abs(one - other)).mean())
    return None if apart < ALIKE else Difference(f"{apart:.2g} apart on average.")


def _sums_to_one(scores) -> bool:
    return np.min(scores) >= 0 and abs(np.sum(scores) - 1) < 1e-3


learn = Task(
    id="04-soft-lookup/learn",
    title="Let the mask be learned",
    kind="train",
    points=3,
    minutes=15,
    answer="learn_mask",
    cases=learn_cases,
    reference=learn_mask,
    misconceptions=(
        Misconception(
            "scores-unmoved",
            lambda votes, *rest: torch.zeros(len(votes)),
            "Your scores give all features the same weight, as before training. Did you call "
            "backward before each step of the optimizer? If you did and the loss fell, something "
            "else has learned: which tensor did you give the optimizer, scores or votes?",
        ),
        Misconception(
            "learning-rate-left-out",
            changed(learn_mask, "lr=RATE", "lr=0.001"),
            "The scores have moved the right way, and hardly any distance. Adam moves a score by "
            "about the learning rate in a step, and that is 0.001 if you do not give one. How far "
            "can a few hundred steps get, and how far must they?",
        ),
        UPHILL.by(changed(learn_mask, "-p.gather", "p.gather")),
        Misconception(
            "log-of-zero",
            changed(
                *changed(learn_mask, "STEPS", "2"),
                "-p.gather(1, targets[:, None]).log().mean()",
                "torch.nn.functional.nll_loss(p.log(), targets)",
            ),
            "Your scores are NaN. Many words have the probability 0 here, and the slope of the "
            "logarithm is infinite there; infinity times 0 is NaN. Of which probabilities do you "
            "need the logarithm?",
        ),
        Misconception(
            "plain-sgd",
            changed(learn_mask, "Adam([scores], lr=RATE)", "SGD([scores], lr=1.0)"),
            "The mask is found, but not to the end. Where the right word is likely already, "
            "gradients are small, and so are the steps of plain gradient descent. Which optimizer "
            "does not take the size of a gradient for the size of its step?",
        ),
        DOUBLE_SOFTMAX.by(changed(learn_mask, "scores.detach()", "scores.detach().softmax(0)")),
        Misconception(
            "frequency-for-information",
            # How often a feature is present, as its score.
            lambda votes, features, present, targets: torch.bincount(
                features[present], minlength=len(votes)
            ).float(),
            "The most frequent features win, and they stand in sentences of both kinds. Which ones "
            "tell the two apart?",
        ),
    ),
    compare=at_most(
        lacking,
        "On average, what the right word lacks of probability 1",
        lambda case: round(1 - TARGET, 6),
    ),
    alike=_alike,
)
