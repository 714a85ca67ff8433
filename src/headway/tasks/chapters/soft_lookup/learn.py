"""Train: learn the scores by which the votes are mixed."""

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from headway.ngram.examples import examples_after
from headway.ngram.skipbigram import SkipBigrams
from headway.tasks.chapters.soft_lookup.mistakes import DOUBLE_SOFTMAX, SIGN_FLIPPED
from headway.tasks.chapters.soft_lookup.mix import mix
from headway.tasks.engine.compare import Difference, at_most
from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.duties import arguments_kept
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task
from headway.text.corpus.commands import CHECK_LOG, CHECK_LOGS
from headway.text.vocabulary import Vocabulary

TARGET = 0.99
STEPS, RATE = 200, 0.1
SLIPS = 0.05  # of the endings to learn from
AT_ONE_WORD = 0.3  # of the endings behind one word
# Of the probability of the right word, on average over prefixes:
ALIKE, HARDLY = 0.02, 0.01
FEW = 10  # prefixes
BETTER = 0.9  # share of the prefixes whose right word has gained, in a mask on its way


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
    """Scores (F,) that raise the mean of p[target]; the votes stay as they are."""
    scores = torch.zeros(len(votes), requires_grad=True)
    optimizer = torch.optim.Adam([scores], lr=RATE)
    for _ in range(STEPS):
        p = mix(scores, votes, features, present)
        loss = -p.gather(1, targets[:, None]).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return scores.detach()


def learn_cases(rng: np.random.Generator) -> list[Case]:
    texts = CHECK_LOGS.sample(rng, 300)
    both = list(CHECK_LOG.probabilities())
    known, new = lookups(texts[:200], texts[200:])
    few, same = lookups(both, both)
    votes = _misled(rng, known)
    slipped = known._replace(votes=votes, targets=_with_slips(rng, known))
    return [
        Case(
            "slips, and votes that are sure and wrong",
            *slipped,
            truth=new._replace(votes=votes),
            core=True,
        ),
        Case("new sentences, and no slips", *known, truth=new),
        Case("the two sentences of the chapter", *few, truth=same),
        arguments_kept(*few, compare=_changes),
    ]


def _misled(rng: np.random.Generator, known: Lookups) -> Tensor:
    """The votes, of which those of three frequent features are certain, each of one word."""
    votes = known.votes.clone()
    often = torch.bincount(known.features[known.present], minlength=len(votes))
    loud = often.argsort(descending=True)[torch.from_numpy(rng.permutation(6)[:3])]
    words = torch.unique(known.targets)
    votes[loud] = 0
    votes[loud, words[torch.arange(len(loud)) % len(words)]] = 1
    return votes


def _with_slips(rng: np.random.Generator, known: Lookups) -> Tensor:
    """The targets of a writer who now and then ends a command as the other kind should.

    Behind no word that decides is it done so often that nobody could learn what is right.
    """
    targets, count = known.targets, len(known.votes)
    decides = known.votes.max(1).values == 1

    def rare_behind_each(slips: Tensor) -> bool:
        met, slipped = (
            torch.bincount(known.features[rows][known.present[rows]], minlength=count)[decides]
            for rows in (slice(None), slips)
        )
        return bool((slipped <= AT_ONE_WORD * met).all())

    slips = draw_until(
        rare_behind_each,
        lambda: torch.from_numpy(rng.permutation(len(targets)) < SLIPS * len(targets)),
    )
    return torch.where(slips, torch.unique(targets).sum() - targets, targets)


def of_the_right_word(scores: np.ndarray, new: Lookups) -> np.ndarray:
    """What the right word gets of probability 1 after each prefix, (B,)."""
    scores = torch.from_numpy(np.asarray(scores, dtype=np.float32))
    mixed = mix(scores, new.votes, new.features, new.present)
    return mixed.gather(1, new.targets[:, None])[:, 0].numpy()


def _changes(got, expected, case) -> Difference | None:
    """The same arguments are changed after training: none, in a right answer."""
    mine, theirs = (
        [
            name
            for name, before, after in zip(Lookups._fields, case.inputs, values, strict=True)
            if not np.array_equal(np.asarray(after), before.numpy())
        ]
        for values in (got, expected)
    )
    if mine == theirs:
        return None
    return Difference(f"changed: {', '.join(mine) or 'none'}; nothing that was given may change.")


def lacking(scores: np.ndarray, case: Case) -> float:
    """How much the right word lacks of probability 1, on average."""
    return 1 - float(of_the_right_word(scores, case.truth).mean())


def _alike(got, expected, case) -> Difference | None:
    """Whether two masks behave alike, or give the right words much the same."""
    try:
        mine = np.asarray(got, dtype=np.float32)
    except (TypeError, ValueError):
        return Difference("these are no scores.")
    if mine.shape != np.shape(expected):
        return Difference("the shapes differ.")
    if _sums_to_one(mine) != _sums_to_one(expected):
        return Difference("one of the two returns weights.")
    if _is_trained(mine, case) != _is_trained(expected, case):
        return Difference("one of the two has been trained.")
    behaviors = [_behavior(scores, case) for scores in (mine, expected)]
    few = len(case.truth.targets) < FEW  # after two prefixes all depends on the steps
    if all(behaviors):
        alike = few or behaviors[0] == behaviors[1]
        return None if alike else Difference("one of the two has reached what is asked.")
    one, other = (of_the_right_word(scores, case.truth) for scores in (mine, expected))
    # Of one prefix in a hundred the outcome can hang on the number of steps.
    both_nan = np.isnan(one) & np.isnan(other)
    apart = float(np.where(both_nan, 0, np.abs(one - other)).mean())
    return None if apart < ALIKE else Difference(f"{apart:.2g} apart on average.")


def _behavior(scores, case: Case) -> str:
    """How far a mask has come from the uniform one; empty if it has gone elsewhere.

    Torn: better on the whole, and after some prefixes worse.
    """
    p = of_the_right_word(scores, case.truth)
    uniform = of_the_right_word(np.zeros(len(scores)), case.truth)
    if p.mean() >= TARGET:
        return "reached"
    if p.mean() < uniform.mean() + HARDLY:
        return ""
    return "on the way" if (p > uniform).mean() > BETTER else "torn"


def _is_trained(scores, case: Case) -> bool:
    """Whether scores look like trained ones: some fell, and what no prefix has stayed put."""
    known = Lookups(*case.inputs)
    met = np.zeros(len(scores), dtype=bool)
    met[known.features[known.present].numpy()] = True
    if met.all() or not np.isfinite(scores).all() or np.ptp(scores) == 0:
        return True
    others = np.asarray(scores)[~met]
    return bool(np.ptp(others) < 1e-6 and (np.asarray(scores)[met] < others[0]).any())


def _sums_to_one(scores) -> bool:
    return np.min(scores) >= 0 and abs(np.sum(scores) - 1) < 1e-3


def votes_spoilt_and_no_scores(votes, features, present, targets):
    votes += 1
    return torch.zeros(len(votes))


def majority_counted(votes, features, present, targets):
    """How often the word that mostly comes after a feature is among its targets."""
    counts = torch.zeros(votes.shape)
    for row, there, target in zip(features, present, targets, strict=True):
        counts[row[there], target] += 1
    return 10 * (counts / counts.sum(1, keepdim=True).clamp(min=1)).max(1).values


def one_by_one(votes, features, present, targets):
    """The page's loss and its training: large steps, each after a single example."""
    scores = torch.zeros(len(votes), requires_grad=True)
    optimizer = torch.optim.SGD([scores], lr=10.0)
    for step in range(500):
        at = slice(step % len(targets), step % len(targets) + 1)
        loss = -mix(scores, votes, features[at], present[at])[0, targets[at]].log().sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return scores.detach()


(believing,) = changed(
    learn_mask,
    "-p.gather(1, targets[:, None]).mean()",
    "-p.gather(1, targets[:, None]).log().mean()",
)

learn = Task(
    id="04-soft-lookup/learn",
    title="Let the mask be learned",
    kind="train",
    points=3,
    minutes=20,
    answer="learn_mask",
    cases=learn_cases,
    reference=learn_mask,
    misconceptions=(
        Misconception(
            "nothing-learned",
            any_of(
                lambda votes, *rest: torch.zeros(len(votes)),
                votes_spoilt_and_no_scores,
                # How often a feature is present, as its score; or how sure its vote is.
                lambda votes, features, present, targets: torch.bincount(
                    features[present], minlength=len(votes)
                ).float(),
                lambda votes, *rest: 30 * votes.max(1).values,
                lambda votes, *rest: 10 * votes.max(1).values,
                majority_counted,
                lambda votes, *rest: 30 * (votes**2).sum(1),
                lambda votes, *rest: 10 * torch.xlogy(votes, votes).sum(1),
            ),
            "Your scores have not been trained: they are all the same, or come from counts or from "
            "the votes. Which loss falls in your function, and which tensor changes with it?",
        ),
        SIGN_FLIPPED.by(
            changed(learn_mask, "-p.gather", "p.gather"),
            changed(believing, "-p.gather", "p.gather"),
        ),
        Misconception(
            "log-of-zero",
            changed(
                *changed(learn_mask, "STEPS", "2"),
                "-p.gather(1, targets[:, None]).mean()",
                "torch.nn.functional.nll_loss(p.log(), targets)",
            ),
            "Your scores are NaN: many words have the probability 0, where the logarithm is "
            "infinitely steep. Of which probabilities do you need a logarithm, if of any?",
        ),
        Misconception(
            "slips-believed",
            any_of(
                believing,
                changed(believing, "STEPS", "60"),
                changed(believing, "Adam([scores], lr=RATE)", "SGD([scores], lr=15.0)"),
                one_by_one,
            ),
            "Your mask is right where no writer slips, and after some nouns it believes the slips. "
            "How much does your loss charge for one wrong ending when the mask is sure of the "
            "right one?",
        ),
        Misconception(
            "undertrained",
            any_of(
                changed(learn_mask, "STEPS", "15"),
                changed(learn_mask, "Adam([scores], lr=RATE)", "SGD([scores], lr=1.0)"),
                changed(believing, "STEPS", "10"),
                changed(learn_mask, "lr=RATE", "lr=0.001"),
                changed(believing, "lr=RATE", "lr=0.001"),
                changed(believing, "Adam([scores], lr=RATE)", "SGD([scores], lr=1.0)"),
            ),
            "Your mask is on its way: the right word has gained after nearly every prefix, but not "
            "enough. How many steps do you take, and how far does each of them move a score?",
        ),
        DOUBLE_SOFTMAX.by(changed(learn_mask, "scores.detach()", "scores.detach().softmax(0)")),
    ),
    compare=at_most(
        lacking,
        "On average, what the right word lacks of probability 1",
        lambda case: round(1 - TARGET, 6),
    ),
    alike=_alike,
)
