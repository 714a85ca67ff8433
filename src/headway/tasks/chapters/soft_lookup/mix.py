"""Train: mix the votes of a prefix by a softmax over scores."""

import numpy as np
import torch

from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task


def mix(scores, votes, features, present):
    """softmax(scores[features]) among those present, times the votes."""
    hidden = scores[features].masked_fill(~present, -torch.inf)
    weights = hidden.softmax(dim=1).masked_fill(~present, 0)  # a row of −∞ gives NaN
    return torch.einsum("bn,bnw->bw", weights, votes[features])


def mix_cases(rng: np.random.Generator) -> list[Case]:
    def draw(rows, longest, *lengths):
        """Scores and votes of seven features for four words; each prefix has `lengths` of them."""
        scores = torch.from_numpy(np.round(rng.normal(size=7), 2)).float()
        votes = rng.dirichlet(np.ones(4), 7).round(2)
        features = np.array([rng.permutation(6)[:longest] + 1 for _ in range(rows)])
        present = np.arange(longest) < np.array(lengths)[:, None]
        features[~present] = 0
        tensors = map(torch.from_numpy, (votes, features, present))
        return scores, next(tensors).float(), *tensors

    return [
        Case("prefixes of equal length", *draw(3, 4, 4, 4, 4), core=True),
        Case("shorter prefixes, padded", *draw(4, 5, 5, 2, 1, 3), core=True),
        Case("as many prefixes as features in each", *draw(3, 3, 3, 2, 3)),
        Case("a prefix without any feature", *draw(2, 3, 0, 2)),
        Case("a single prefix", *draw(1, 4, 4)),
        Case("scores around 1,000", *_raised(draw(2, 3, 3, 2), 1_000.0)),
    ]


def _raised(inputs, by):
    return inputs[0] + by, *inputs[1:]


def _weighted(weigh):
    """Mixing with other weights: weigh(scores (B, N), present) -> weights (B, N)."""

    def mix_of(scores, votes, features, present):
        weights = weigh(scores[features], present)
        return torch.einsum("bn,bnw->bw", weights, votes[features])

    return mix_of


def _not_renormalized(s, present):
    return s.softmax(1) * present


def _over_prefixes(s, present):
    return s.masked_fill(~present, -torch.inf).softmax(0).nan_to_num()


def _over_all(scores, votes, features, present):
    weights = scores.softmax(0)[features] * present
    return torch.einsum("bn,bnw->bw", weights, votes[features])


def _hard(s, present):
    best = s.masked_fill(~present, -torch.inf).argmax(1, keepdim=True)
    return torch.zeros_like(s).scatter(1, best, 1.0) * present


mix_task = Task(
    id="04-soft-lookup/mix",
    title="Mix the votes by softmax weights",
    kind="train",
    points=2,
    minutes=12,
    answer="mix",
    cases=mix_cases,
    reference=mix,
    misconceptions=(
        Misconception(
            "padding-votes",
            _weighted(lambda s, present: s.softmax(1)),
            "Right where all prefixes are equally long. In a shorter one, feature 0 votes as often "
            "as there are empty places. Which argument tells them apart?",
        ),
        Misconception(
            "mask-inverted",
            _weighted(lambda s, present: s.masked_fill(present, -torch.inf).softmax(1)),
            "Nothing but padding votes, and where there is none, you get NaN. What does True mean "
            "in this mask, and which places do you fill?",
        ),
        Misconception(
            "mask-inverted-first",
            _weighted(
                lambda s, present: (
                    s.masked_fill(present, -torch.inf).softmax(1).masked_fill(~present, 0)
                )
            ),
            "Where there is padding, nothing votes at all; where there is none, you get NaN. What "
            "does True mean in this mask? You fill twice: which places each time?",
        ),
        Misconception(
            "mask-inverted-twice",
            _weighted(
                lambda s, present: (
                    s.masked_fill(present, -torch.inf).softmax(1).masked_fill(present, 0)
                )
            ),
            "Nothing but padding votes, and where there is none, nothing does. What does True mean "
            "in this mask, and which places do you fill?",
        ),
        Misconception(
            "mask-after-softmax",
            _weighted(_not_renormalized),
            "Padding gets no weight, but the rest no longer sums to one: the padding has taken its "
            "share before you removed it. Where in the order of steps must it disappear?",
        ),
        Misconception(
            "zero-for-mask",
            _weighted(lambda s, present: (s * present).softmax(1)),
            "You give padding the score 0. What is e to the power 0?",
        ),
        Misconception(
            "minus-one-for-mask",
            _weighted(lambda s, present: s.masked_fill(~present, -1.0).softmax(1)),
            "You give padding the score −1. What is e to the power −1? Which score has an "
            "exponential of 0?",
        ),
        Misconception(
            "nan-where-nothing",
            _weighted(lambda s, present: s.masked_fill(~present, -torch.inf).softmax(1)),
            "A prefix without any feature gives NaN, and one NaN in a batch makes the loss NaN. "
            "What is 0 divided by 0, and what is asked for here?",
        ),
        Misconception(
            "equal-where-nothing",
            _weighted(lambda s, present: s.masked_fill(~present, -1e9).softmax(1)),
            "A prefix without any feature gets the vote of feature 0. If all scores of a row are "
            "equally low, how does a softmax share?",
        ),
        Misconception(
            "overflow",
            _weighted(
                lambda s, present: (
                    (s.exp() * present) / (s.exp() * present).sum(1, keepdim=True).clamp(min=1e-9)
                )
            ),
            "Right for small scores. What is e to the power 1,000 on a computer?",
        ),
        Misconception(
            "over-the-batch",
            _weighted(_over_prefixes),
            "Your weights sum to one down the batch. Which features share one prediction: those of "
            "one prefix, or those at one place?",
        ),
        Misconception(
            "over-all-features",
            _over_all,
            "You take the softmax over all features there are, and those that a prefix lacks keep "
            "their share. Among which features is the vote to be shared?",
        ),
        Misconception(
            "scores-as-weights",
            _weighted(lambda s, present: s * present),
            "You multiply the votes by the scores as they are. Can a probability be negative?",
        ),
        Misconception(
            "not-divided",
            _weighted(lambda s, present: s.exp() * present),
            "Your votes are in proportion, but they do not sum to one. What is missing from the "
            "softmax?",
        ),
        Misconception(
            "equal-weights",
            _weighted(
                lambda s, present: present.float() / present.sum(1, keepdim=True).clamp(min=1)
            ),
            "All features that are present weigh the same. Where do the scores come in, and by "
            "which index do you find those of one prefix?",
        ),
        Misconception(
            "best-alone",
            _weighted(_hard),
            "Only the best feature votes. If a score rises a little, does your prediction change? "
            "What is its gradient?",
        ),
    ),
    compare=close(atol=1e-3, rtol=1e-3),
)
