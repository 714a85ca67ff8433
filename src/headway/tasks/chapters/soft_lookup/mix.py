"""Train: mix the votes of a prefix by a softmax over scores."""

import numpy as np
import torch

from headway.tasks.chapters.soft_lookup.mistakes import (
    EQUAL_WEIGHTS,
    EXPONENTIALS_OUT_OF_RANGE,
    NOT_NORMALIZED,
    PADDING_TAKES_WEIGHT,
    SCORES_FOR_WEIGHTS,
    SOFTMAX_OVER_THE_WRONG_AXIS,
    WINNER_TAKES_ALL,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def mix(scores, votes, features, present):
    """softmax(scores[features]) among those present, times the votes; even where none is."""
    s = scores[features]  # (B, N)
    weights = s.masked_fill(~present, -torch.inf).softmax(1)
    weights = weights.masked_fill(~present, 0)  # a row of −∞ gives NaN
    mixed = torch.einsum("bn,bnw->bw", weights, votes[features])
    return torch.where(present.any(1, keepdim=True), mixed, 1 / votes.shape[1])


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
        Case("shorter prefixes, padded", *draw(4, 5, 5, 2, 1, 3), core=True),
        Case("prefixes of equal length", *draw(3, 4, 4, 4, 4)),
        Case("as many prefixes as features in each", *draw(3, 3, 3, 2, 3)),
        Case("a prefix without any feature", *draw(2, 3, 0, 2)),
        Case("a single prefix", *draw(1, 4, 4)),
        Case("feature 0 among those present", *_with_feature_0(draw(3, 4, 4, 2, 3))),
        Case("scores around 1,000", *_raised(draw(2, 3, 3, 2), 1_000.0), path=FAR),
        Case("scores around −20,000", *_raised(draw(2, 3, 3, 2), -20_000.0), path=FAR),
        Case("the score of the padding far above", *_loud_padding(draw(3, 4, 4, 2, 3)), path=FAR),
    ]


def _raised(inputs, by):
    return inputs[0] + by, *inputs[1:]


def _with_feature_0(inputs):
    """Feature 0 stands first in each prefix; a place of padding looks just like it."""
    scores, votes, features, present = inputs
    features[:, 0] = 0
    return scores + torch.eye(len(scores))[0], votes, features, present


def _loud_padding(inputs):
    return inputs[0] + 1_000 * torch.eye(len(inputs[0]))[0], *inputs[1:]


FAR = "scores far from 0"
SOFTMAX = "s.masked_fill(~present, -torch.inf).softmax(1)"
RENORMALIZED = "(s.softmax(1) * present) / (s.softmax(1) * present).sum(1, keepdim=True)"
LOUDEST = (
    "((s - s.amax(1, keepdim=True)).exp() * present)"
    " / ((s - s.amax(1, keepdim=True)).exp() * present).sum(1, keepdim=True).clamp(min=1e-30)"
)
BY_NUMBER = "s.masked_fill(features == 0, -torch.inf).softmax(1)"
INVERTED = "s.masked_fill(present, -torch.inf).softmax(1)"
FILLED = "weights.masked_fill(~present, 0)"
EVEN = "torch.where(present.any(1, keepdim=True), mixed, 1 / votes.shape[1])"
_unfilled = changed(mix, FILLED, "weights")[0]


def _and_unasked(*answers):
    """These, and the same without a word on prefixes without any feature."""
    return *answers, *(changed(answer, EVEN, "mixed")[0] for answer in answers)


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
        PADDING_TAKES_WEIGHT.by(
            *_and_unasked(
                *changed(
                    _unfilled,
                    SOFTMAX,
                    "s.softmax(1)",
                    "(s * present).softmax(1)",
                    "s.masked_fill(~present, -1.0).softmax(1)",
                ),
                *changed(
                    mix,
                    SOFTMAX,
                    *(
                        f"s.masked_fill(~present, {low}).softmax(1)"
                        for low in ("-100.0", "-1e4", "-50.0")
                    ),
                    RENORMALIZED,
                    LOUDEST,
                ),
            )
        ),
        Misconception(
            "mask-inverted",
            any_of(
                *_and_unasked(
                    *changed(mix, SOFTMAX, INVERTED),
                    *changed(_unfilled, SOFTMAX, INVERTED),
                    *changed(mix, FILLED, "weights.masked_fill(present, 0)"),
                    *changed(
                        *changed(mix, SOFTMAX, INVERTED), FILLED, "weights.masked_fill(present, 0)"
                    ),
                )
            ),
            "You hide what is present, so nothing votes but padding, or nothing at all. What does "
            "True mean in this mask, and which places do you fill each time?",
        ),
        Misconception(
            "mask-after-softmax",
            any_of(
                *_and_unasked(
                    *changed(
                        mix,
                        SOFTMAX,
                        "s.softmax(1)",
                        "scores.softmax(0)[features]",
                        "(s * present).softmax(1)",
                    )
                )
            ),
            "Your weights no longer sum to one, because features that are not there took a share "
            "before you removed them. When must they be gone?",
        ),
        Misconception(
            "padding-told-by-its-number",
            any_of(
                *_and_unasked(
                    *changed(mix, SOFTMAX, BY_NUMBER),
                    *changed(
                        *changed(mix, SOFTMAX, BY_NUMBER),
                        FILLED,
                        "weights.masked_fill(features == 0, 0)",
                    ),
                )
            ),
            "You take feature 0 for padding even where it is present. Which argument says what is "
            "there?",
        ),
        Misconception(
            "empty-prefix",
            any_of(
                *changed(mix, EVEN, "mixed"),
                *changed(_unfilled, EVEN, "mixed"),
                *changed(*changed(_unfilled, "-torch.inf", "-1e9"), EVEN, "mixed"),
            ),
            "A prefix without any feature gives zeros, NaN or the vote of feature 0. What do you "
            "know about the next word if nobody votes, and what is asked for here?",
        ),
        EXPONENTIALS_OUT_OF_RANGE.by(
            *_and_unasked(
                *changed(
                    mix,
                    SOFTMAX,
                    "s.exp() * present / (s.exp() * present).sum(1, keepdim=True).clamp(min=1e-9)",
                )
            )
        ),
        SOFTMAX_OVER_THE_WRONG_AXIS.by(
            *_and_unasked(
                *changed(
                    mix, SOFTMAX, "s.masked_fill(~present, -torch.inf).softmax(0).nan_to_num()"
                )
            )
        ),
        SCORES_FOR_WEIGHTS.by(*_and_unasked(*changed(mix, SOFTMAX, "s"))),
        NOT_NORMALIZED.by(
            *_and_unasked(
                *changed(mix, SOFTMAX, "s.exp()"),
                *changed(_unfilled, SOFTMAX, "s.exp() * present"),
            )
        ),
        EQUAL_WEIGHTS.by(
            *_and_unasked(
                *changed(mix, SOFTMAX, "present / present.sum(1, keepdim=True).clamp(min=1)")
            )
        ),
        WINNER_TAKES_ALL.by(
            *_and_unasked(
                *changed(
                    mix,
                    SOFTMAX,
                    "torch.eye(s.shape[1])[s.masked_fill(~present, -torch.inf).argmax(1)]",
                )
            )
        ),
    ),
    compare=close(atol=1e-3, rtol=1e-3),
)
