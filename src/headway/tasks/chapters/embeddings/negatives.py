"""Debug: a negative-sampling loss in which signs are turned along the wrong axis."""

import numpy as np
import torch
from torch.nn import functional

from headway.tasks.chapters.embeddings.mistakes import (
    OUT_OF_RANGE,
    PROBABILITY_FOR_LOGARITHM,
    SOFTMAX_AND_SIGMOID,
    SUM_AND_MEAN,
    WRONG_SIGN,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.duties import arguments_kept
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def given_sampled_loss(hidden, guessed, targets, negatives):
    """The faulty function that the notebook hands out."""
    words = torch.cat([targets[:, None], negatives], dim=1)
    scores = (guessed[words] * hidden[:, None]).sum(dim=-1)
    signs = torch.ones_like(scores)
    signs[1:] = -1
    kept = words != targets[:, None]
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

    hit, all_hit = draw(4, 3, 6, 3), draw(3, 2, 5, 2)
    hit[3][1, 2] = hit[2][1]
    hit[3][3, 0] = hit[2][3]
    all_hit[3][1] = all_hit[2][1]
    return [
        Case("five examples, three words drawn for each", *draw(5, 3, 8, 4), core=True),
        Case("as many examples as words in a row", *draw(4, 3, 6, 2), core=True),
        Case("a true word among those drawn", *hit, path="a true word drawn"),
        Case("nothing but the true word drawn", *all_hit, path="a true word drawn"),
        Case("one example", *draw(1, 4, 6, 3)),
        Case("one word drawn", *draw(3, 1, 5, 3)),
        Case("scores in the hundreds", *draw(3, 2, 5, 3, size=15.0)),
        arguments_kept(
            *draw(3, 2, 6, 2),
        ),
    ]


TRUE, DRAWN = "(hidden * guessed[targets])", "-(guessed[negatives] @ hidden[:, :, None])[..., 0]"
LEFT_OUT = "drawn = drawn * (negatives != targets[:, None])"
SIGNS = "signs[1:] = -1"
TERMS = "functional.logsigmoid(signs * scores)"
(repaired,) = changed(given_sampled_loss, SIGNS, "signs[:, 1:] = -1")

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
            changed(given_sampled_loss, SIGNS, "signs[:, :1] = -1", "signs[:, 0] = -1"),
            changed(repaired, "return -(", "return ("),
            changed(repaired, "(signs * scores)", "(-signs * scores)"),
        ),
        Misconception(
            "signs-of-some-words",
            changed(
                given_sampled_loss,
                SIGNS,
                "pass",
                "signs[:] = -1",
                "signs[:, 1] = -1",
                "signs[:, -1] = -1",
                "signs[1:, 1:] = -1",
                "signs[0, 1:] = -1",
                "signs[:, 2:] = -1",
            ),
            "Some words have the right sign and others do not: drawn words are taken for true "
            "ones, true ones for drawn ones, or a row or a column is left over. In which rows and "
            "columns do the drawn words stand?",
        ),
        Misconception(
            "sign-outside-the-logarithm",
            changed(
                repaired,
                TERMS,
                "signs * functional.logsigmoid(scores)",
                "signs * functional.logsigmoid(signs * scores)",
                "functional.logsigmoid(scores) * signs.abs() - 2 * (signs < 0) * scores.abs()",
            ),
            "The sign acts on the logarithm and not on the score, or on both. Is the sigmoid of a "
            "score turned round the same as the sigmoid with a minus in front?",
        ),
        Misconception(
            "left-out-or-kept",
            any_of(
                changed(repaired, "terms * kept", "terms"),
                changed(repaired, "kept[:, 0] = True", "pass"),
                changed(repaired, "terms * kept", "terms * kept.all(dim=1, keepdim=True)"),
                changed(
                    *changed(repaired, "terms * kept", "terms"),
                    "(signs * scores)",
                    "(signs * scores * kept)",
                ),
            ),
            "Your loss leaves out other terms than line 7 of the listing keeps out, or what is "
            "left out still costs something. Which words should have no term, and what is the "
            "logarithm of one half?",
        ),
        SUM_AND_MEAN.by(
            changed(repaired, ".sum(dim=1).mean()", ".mean()"),
            changed(sampled_loss, "drawn.sum(dim=1)", "drawn.mean(dim=1)"),
            changed(
                repaired,
                "(terms * kept).sum(dim=1).mean()",
                "((terms * kept).sum() / kept.sum())",
            ),
            changed(repaired, ".sum(dim=1).mean()", ".sum()"),
            changed(repaired, ".sum(dim=1).mean()", ".sum(dim=0).mean()"),
            changed(repaired, ".sum(dim=1).mean()", ".sum(dim=1)"),
        ),
        Misconception(
            "sigmoid-of-the-sum",
            any_of(
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
            "Scores are added up before the logarithm of a sigmoid is taken, or it is taken of "
            "some only. How many sigmoids has an example?",
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
        SOFTMAX_AND_SIGMOID.by(
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
