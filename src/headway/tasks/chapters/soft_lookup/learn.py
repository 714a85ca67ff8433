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
from headway.tasks.engine.mistakes import seen
from headway.tasks.engine.requirements import arguments_kept
from headway.tasks.engine.task import Case, Task
from headway.text.corpus.commands import CHECK_LOG, CHECK_LOGS
from headway.text.vocabulary import Vocabulary

TARGET = 0.99
STEPS, RATE = 200, 0.1
SLIPS = 0.05  # of the endings to learn from
AT_ONE_WORD = 0.3  # of the endings behind one word
NEARLY = 0.9  # of the probability of the right word
BETTER = 0.9  # share of the prefixes whose right word has gained, in a mask on its way
NO_SLIPS, TWO = "new sentences, and no slips", "the two sentences of the chapter"


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
        Case(NO_SLIPS, *known, truth=new),
        Case(TWO, *few, truth=same),
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


class Mask(NamedTuple):
    """What a mask does, where it was to learn and where it is asked.

    Attributes:
        scores: (F,).
        gained: for each new prefix, by how much the right word has more than without a mask.
        learned: the same on average for the targets it was to learn.
        met: which features some prefix has, (F,).
    """

    scores: np.ndarray
    gained: np.ndarray
    learned: float
    met: np.ndarray


def _mask(got, case: Case) -> Mask:
    scores, known = np.asarray(got, dtype=np.float32), Lookups(*case.inputs)
    if scores.shape != (len(known.votes),):
        raise ValueError(f"expected a score for each feature, got the shape {scores.shape}")
    gained, learned = (
        of_the_right_word(scores, asked) - of_the_right_word(0 * scores, asked)
        for asked in (case.truth, known)
    )
    met = np.isin(np.arange(len(scores)), known.features[known.present].numpy())
    return Mask(scores, gained, float(learned.mean()), met)


def on(tells):
    """A predicate on what a mask of finite scores does."""

    def shows(got, expected, case) -> bool:
        return bool(np.isfinite(got).all() and tells(_mask(got, case)))

    return shows


def _is_untrained(mask: Mask) -> bool:
    """Whether scores can't have been learned from equal ones, as far as can be told."""
    if np.ptp(mask.scores) == 0 or mask.met.all():
        return True
    others = mask.scores[~mask.met]
    return bool(np.ptp(others) > 1e-6 or (mask.scores[mask.met] >= others[0]).all())


def _believes_slips(got, expected, case) -> bool:
    """Most right words have nearly everything, and some clearly less: where writers slip."""
    p = of_the_right_word(got, case.truth)
    return case.core and np.median(p) > NEARLY > np.quantile(p, 0.1)


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
        seen(
            "log-of-zero",
            "Your scores are NaN: many words have the probability 0, where the logarithm is "
            "infinitely steep. Of which probabilities do you need a logarithm, if of any?",
            lambda got, expected, case: np.isnan(got).any(),
        ),
        DOUBLE_SOFTMAX.by(
            shows=on(lambda it: it.scores.min() >= 0 and abs(it.scores.sum() - 1) < 1e-3)
        ),
        seen(
            "right-for-one-log",
            "This is right where writers slip, and not where none does, or where there are two "
            "sentences only. Which number in your code depends on how much there is to learn?",
            only_at=(NO_SLIPS, TWO),
        ),
        seen(
            "nothing-learned",
            "Your scores don't come from training: they are all the same, none has fallen, or "
            "features that no prefix has got scores of their own. Which loss falls in your "
            "function, and which tensor changes with it?",
            on(_is_untrained),
        ),
        SIGN_FLIPPED.by(shows=on(lambda it: it.learned < 0)),
        seen(
            "slips-believed",
            "Your mask is right where no writer slips, and after some nouns it believes the slips. "
            "How much does your loss charge for one wrong ending when the mask is sure of the "
            "right one?",
            _believes_slips,
        ),
        seen(
            "undertrained",
            "Your mask is on its way: the right word has gained after nearly every prefix, but not "
            "enough. How many steps do you take, and how far does each of them move a score?",
            on(lambda it: (it.gained > 0).mean() > BETTER),
        ),
        seen(
            "right-words-lost",
            "After some prefixes the right word has less than without your mask. What do these "
            "prefixes have in common, and what does your loss make of them?",
            on(lambda it: (it.gained < 0).any()),
        ),
    ),
    compare=at_most(
        lacking,
        "On average, what the right word lacks of probability 1",
        lambda case: round(1 - TARGET, 6),
    ),
)
