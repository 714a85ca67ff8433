"""Debug: a negative-sampling loss that leaves out what is true of any example."""

import numpy as np
import torch
from torch.nn import functional

from headway.tasks.chapters.embeddings.mistakes import (
    ANOTHER_WHOLE,
    OUT_OF_RANGE,
    PROBABILITY_FOR_LOGARITHM,
    SUM_AND_MEAN,
    WRONG_SIGN,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.requirements import arguments_kept
from headway.tasks.engine.task import Case, Task


def given_sampled_loss(hidden, guessed, targets, negatives):
    """The faulty function that the notebook hands out."""
    words = torch.cat([targets[:, None], negatives], dim=1)
    scores = (guessed[words] * hidden[:, None]).sum(dim=-1)
    signs = -torch.ones_like(scores)
    signs[:, 0] = 1
    kept = ~torch.isin(words, targets)
    kept[:, 0] = True
    terms = functional.logsigmoid(signs * scores)
    return -(terms * kept).sum(dim=1).mean()


def sampled_loss(hidden, guessed, targets, negatives):
    """−ln σ(h·u_target) − Σ ln σ(−h·u_negative), the mean over the examples; () in nats."""
    true = functional.logsigmoid((hidden * guessed[targets]).sum(dim=-1))
    drawn = functional.logsigmoid(-(guessed[negatives] @ hidden[:, :, None])[..., 0])
    drawn = drawn * (negatives != targets[:, None])
    return -(true + drawn.sum(dim=1)).mean()


def negatives_cases(rng: np.random.Generator) -> list[Case]:
    def draw(B, K, V, C, size=1.0):
        """Words drawn that are none of the true ones."""
        tables = (
            torch.from_numpy((size * rng.normal(size=shape)).astype(np.float32))
            for shape in ((B, C), (V, C))
        )
        targets = rng.integers(0, V, B)
        drawn = (targets[:, None] + rng.integers(1, V, (B, K))) % V
        return *tables, torch.from_numpy(targets), torch.from_numpy(drawn)

    def others_drawn(B, K, V, C):
        """Each example has drawn the true word of the next one, and all true words differ."""
        case = draw(B, K, V, C)
        case[2][:] = torch.from_numpy(rng.permutation(V)[:B])
        drawn = (case[2].numpy()[:, None] + rng.integers(1, V, (B, K))) % V
        case[3][:] = torch.from_numpy(drawn)
        case[3][:, -1] = case[2].roll(-1)
        return case

    hit, all_hit = draw(4, 3, 6, 3), draw(3, 2, 5, 2)
    hit[3][1, 2] = hit[2][1]
    hit[3][3, 0] = hit[2][3]
    all_hit[3][1] = all_hit[2][1]
    large = draw(3, 2, 5, 3, size=15.0)
    true = large[2][0]
    large[1][true] += 10 * large[1][true].sign()
    large[0][0] = -large[1][true]  # a true word whose score is −300 or below
    return [
        Case("five examples, three words drawn for each", *others_drawn(5, 3, 8, 4), core=True),
        Case("a true word among those drawn", *hit, core=True),
        Case("nothing but the true word drawn", *all_hit),
        Case("as many examples as words in a row", *others_drawn(4, 3, 6, 2)),
        Case("one example", *draw(1, 4, 6, 3)),
        Case("one word drawn", *draw(3, 1, 5, 3)),
        Case("scores in the hundreds", *large),
        arguments_kept(
            *draw(3, 2, 6, 2),
        ),
    ]


TRUE, DRAWN = "(hidden * guessed[targets])", "-(guessed[negatives] @ hidden[:, :, None])[..., 0]"
KEPT, SIGNS = "~torch.isin(words, targets)", "signs[:, 0] = 1"
TERMS = "functional.logsigmoid(signs * scores)"
WRONG_WAY = "torch.ones_like(scores)\n    signs[:, 0] = -1"
(repaired,) = changed(given_sampled_loss, KEPT, "words != targets[:, None]")

negatives_task = Task(
    id="06-embeddings/negatives",
    title="Repair a loss of negative sampling",
    kind="debug",
    points=2,
    minutes=10,
    answer="sampled_loss",
    cases=negatives_cases,
    reference=sampled_loss,
    given=given_sampled_loss,
    misconceptions=(
        WRONG_SIGN.by(
            changed(repaired, "-torch.ones_like(scores)\n    signs[:, 0] = 1", WRONG_WAY),
            changed(repaired, "return -(", "return ("),
            changed(repaired, "(signs * scores)", "(-signs * scores)"),
        ),
        Misconception(
            "signs-of-some-words",
            changed(
                repaired,
                SIGNS,
                "pass",
                "signs[:] = 1",
                "signs[0] = 1",
                "signs[:, 1] = 1",
                "signs[:, :2] = 1",
                "signs[1:, 0] = 1",
            ),
            "Some words have the right sign, and others do not. Which rows and columns hold the "
            "true words, and which the drawn ones?",
        ),
        Misconception(
            "of-another-example",
            any_of(
                changed(
                    repaired,
                    "words != targets[:, None]",
                    "words != targets[[0]]",
                    "words != targets.roll(1)[:, None]",
                    "~torch.isin(words, targets[:1])",
                ),
                changed(
                    repaired,
                    "words != targets[:, None]",
                    "words != (targets if len(targets) == words.shape[1] else targets[:, None])",
                ),
            ),
            "What your loss leaves out of an example depends on the true word of another one. "
            "Which of its terms may differ between a batch and the example alone?",
        ),
        Misconception(
            "order-around-the-sigmoid",
            any_of(
                changed(
                    repaired,
                    TERMS,
                    "signs * functional.logsigmoid(scores)",
                    "signs * functional.logsigmoid(signs * scores)",
                    "functional.logsigmoid(scores) * signs.abs() - 2 * (signs < 0) * scores.abs()",
                ),
                changed(
                    repaired,
                    "-(terms * kept).sum(dim=1).mean()",
                    "-functional.logsigmoid((signs * scores * kept).sum(dim=1)).mean()",
                ),
                changed(
                    sampled_loss,
                    "drawn = functional.logsigmoid(-(guessed[negatives] @ hidden[:, :, None])"
                    "[..., 0])",
                    "drawn = -(guessed[negatives] @ hidden[:, :, None])[..., 0]",
                ),
            ),
            "Sign, sigmoid, logarithm and sum come in another order, or one is missing. How many "
            "sigmoids has an example, and of which number is each taken?",
        ),
        Misconception(
            "left-out-or-kept",
            any_of(
                changed(repaired, "terms * kept", "terms"),
                changed(repaired, "kept[:, 0] = True", "pass"),
                changed(repaired, "terms * kept", "terms * kept.all(dim=1, keepdim=True)"),
                changed(repaired, "words != targets[:, None]", "words == targets[:, None]"),
                changed(
                    repaired,
                    "words != targets[:, None]",
                    "~torch.isin(words, negatives)",
                ),
                changed(
                    *changed(repaired, "terms * kept", "terms"),
                    "(signs * scores)",
                    "(signs * scores * kept)",
                ),
            ),
            "Your loss leaves out other terms than the text does, or they still cost something. "
            "Which words should have no term, and what does the sigmoid of 0 cost?",
        ),
        SUM_AND_MEAN.by(
            changed(repaired, ".sum(dim=1).mean()", ".mean()"),
            changed(sampled_loss, "drawn.sum(dim=1)", "drawn.mean(dim=1)"),
            changed(
                repaired,
                "(terms * kept).sum(dim=1).mean()",
                "((terms * kept).sum() / kept.sum())",
                "((terms * kept).sum(dim=1) / kept.sum(dim=1)).mean()",
            ),
            changed(repaired, ".sum(dim=1).mean()", ".sum()"),
            changed(repaired, ".sum(dim=1).mean()", ".sum(dim=0).mean()"),
            changed(repaired, ".sum(dim=1).mean()", ".sum(dim=1)"),
        ),
        PROBABILITY_FOR_LOGARITHM.by(
            changed(repaired, "functional.logsigmoid", "torch.sigmoid"),
        ),
        OUT_OF_RANGE.by(
            changed(
                repaired,
                TERMS,
                "torch.sigmoid(signs * scores).log()",
                "(torch.sigmoid(signs * scores) + 1e-9).log()",
                "torch.where(signs > 0, torch.sigmoid(scores), 1 - torch.sigmoid(scores)).log()",
                "torch.sigmoid(signs * scores).clamp(min=1e-7).log()",
            )
        ),
        ANOTHER_WHOLE.by(
            changed(
                repaired,
                "return -(terms * kept).sum(dim=1).mean()",
                "return -scores.log_softmax(dim=1)[:, 0].mean()",
                "return -scores.masked_fill(~kept, -torch.inf).log_softmax(dim=1)[:, 0].mean()",
            ),
        ),
    ),
    compare=close(atol=1e-4, rtol=1e-4),
)
