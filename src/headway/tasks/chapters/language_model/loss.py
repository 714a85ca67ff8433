"""Build: the loss of a model on a padded batch, in which prompts do not count."""

import numpy as np
import torch

from headway.tasks.chapters.language_model.mistakes import (
    END_NEVER_ASKED,
    GIVEN_COUNTED,
    MEAN_MISCOUNTED,
    PADDING_BY_ID,
    PADDING_COUNTED,
    SHIFTED_WRONGLY,
    SOFTMAX_TOO_EARLY,
    UNSHIFTED,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def next_token_loss(logits, ids, lengths, prompt=1):
    """The mean loss of the tokens that a model had to say, in nats; 0 where there are none."""
    costs = -logits.log_softmax(-1)[:, :-1].gather(-1, ids[:, 1:, None])[..., 0]  # (B, T - 1)
    places = torch.arange(1, ids.shape[1])  # of the tokens that are asked for
    counts = (places < lengths[:, None]) & (places >= prompt)
    return costs.where(counts, torch.zeros(())).sum() / counts.sum().clamp(min=1)


def cases(rng: np.random.Generator) -> list[Case]:
    def draw(T, lengths, V=7, large=2.0):
        B = len(lengths)
        logits = torch.from_numpy(np.round(large * rng.normal(size=(B, T, V)), 2)).float()
        ids = torch.from_numpy(rng.integers(0, V, (B, T)))
        for row, length in zip(ids, lengths, strict=True):
            row[length:] = 0  # a word among others, here and there
        return logits, ids, torch.tensor(lengths)

    extreme = draw(4, [4, 3])
    extreme[0][..., 0] += 300.0
    return [
        Case("texts of several lengths", *draw(7, [7, 3, 5]), core=True),
        Case("after a prompt", *draw(8, [8, 5, 6], V=9), 3, core=True),
        Case("texts of one length", *draw(5, [5, 5])),
        Case("one text, padded", *draw(6, [4])),
        Case("a prompt longer than one of the texts", *draw(6, [3, 6, 4]), 4),
        Case("a text of one token among others", *draw(5, [1, 5, 2])),
        Case("a single token to say", *draw(4, [1, 2])),
        Case("texts of one token each", *draw(3, [1, 1]), path="nothing to say"),
        Case("nothing but prompts", *draw(4, [3, 4]), 4, path="nothing to say"),
        Case("logits that are hundreds apart", *extreme),
    ]


COSTS = "-logits.log_softmax(-1)[:, :-1].gather(-1, ids[:, 1:, None])[..., 0]"
COUNTS = "(places < lengths[:, None]) & (places >= prompt)"
EVERYWHERE = "torch.ones(costs.shape, dtype=torch.bool)"
SHARED = "costs.where(counts, torch.zeros(())).sum() / counts.sum().clamp(min=1)"
TWO_ON = "torch.nn.functional.pad(-logits.log_softmax(-1)[:, :-2].gather(-1, ids[:, 2:, None])"

each_row = changed(
    next_token_loss,
    SHARED,
    "(costs.where(counts, torch.zeros(())).sum(1) / counts.sum(1).clamp(min=1)).mean()",
    "((costs * counts).sum(1) / counts.sum(1).clamp(min=1))[counts.any(1)].mean().nan_to_num()",
)
mean_or_nothing = "torch.stack([c[m].mean() for c, m in zip(costs, counts)]).mean()"

(unshifted,) = changed(
    *changed(next_token_loss, COSTS, "-logits.log_softmax(-1).gather(-1, ids[..., None])[..., 0]"),
    "torch.arange(1, ids.shape[1])",
    "torch.arange(ids.shape[1])",
)
(by_ids,) = changed(next_token_loss, "places < lengths[:, None]", "ids[:, 1:] != 0")

loss_task = Task(
    id="11-language-model/loss",
    title="The loss of a padded batch",
    kind="build",
    points=2,
    minutes=15,
    answer="next_token_loss",
    cases=cases,
    reference=next_token_loss,
    misconceptions=(
        UNSHIFTED.by(
            changed(
                next_token_loss,
                COSTS,
                "-logits.log_softmax(-1).gather(-1, ids[..., None])[:, 1:, 0]",
                "-logits.log_softmax(-1).gather(-1, ids[..., None])[:, :-1, 0]",
            ),
            unshifted,
            changed(unshifted, "prompt)", "prompt - (prompt == 1))"),
            changed(unshifted, ".clamp(min=1)", ""),
            changed(unshifted, COUNTS, EVERYWHERE),
        ),
        SHIFTED_WRONGLY.by(
            changed(next_token_loss, COSTS, f"{TWO_ON}[..., 0], (1, 0))"),
            changed(
                *changed(next_token_loss, COSTS, f"{TWO_ON}[..., 0], (1, 0))"),
                "prompt)",
                "max(prompt, 2))",
            ),
            changed(
                next_token_loss,
                COSTS,
                "-logits.log_softmax(-1)[:, 1:].gather(-1, ids[:, :-1, None])[..., 0]",
            ),
        ),
        PADDING_COUNTED.by(
            changed(next_token_loss, COUNTS, "(places >= prompt).expand(costs.shape)", EVERYWHERE),
            changed(next_token_loss, "places < lengths", "places <= lengths"),
            changed(next_token_loss, "counts.sum()", "torch.tensor(counts.numel())"),
            changed(next_token_loss, SHARED, "(costs * counts).mean()"),
        ),
        PADDING_BY_ID.by(
            by_ids,
            changed(by_ids, ".clamp(min=1)", ""),
            changed(by_ids, " & (places >= prompt)", ""),
            changed(*changed(by_ids, " & (places >= prompt)", ""), ".clamp(min=1)", ""),
            changed(next_token_loss, "places < lengths[:, None]", "ids[:, :-1] != 0"),
        ),
        END_NEVER_ASKED.by(
            changed(next_token_loss, "places < lengths[:, None]", "places < lengths[:, None] - 1"),
        ),
        GIVEN_COUNTED.by(
            changed(next_token_loss, " & (places >= prompt)", ""),
            changed(*changed(next_token_loss, " & (places >= prompt)", ""), ".clamp(min=1)", ""),
            changed(next_token_loss, "places >= prompt", "places >= prompt - 1"),
            changed(next_token_loss, "places >= prompt", "places > prompt"),
            changed(next_token_loss, "places >= prompt", "(places > prompt) | (prompt == 1)"),
            changed(next_token_loss, "places >= prompt", "places < prompt"),
            changed(next_token_loss, "counts.sum()", "lengths.sum()", "(counts.sum() + len(ids))"),
        ),
        MEAN_MISCOUNTED.by(
            each_row,
            changed(next_token_loss, SHARED, mean_or_nothing, f"{mean_or_nothing}.nan_to_num()"),
            changed(next_token_loss, " / counts.sum().clamp(min=1)", ""),
            changed(next_token_loss, "counts.sum().clamp(min=1)", "len(ids)"),
        ),
        SOFTMAX_TOO_EARLY.by(
            changed(next_token_loss, "logits.log_softmax", "logits.softmax(-1).log_softmax")
        ),
        Misconception(
            "probability-for-loss",
            any_of(
                changed(next_token_loss, "-logits.log_softmax", "logits.log_softmax"),
                changed(next_token_loss, "-logits.log_softmax(-1)", "-logits.softmax(-1)"),
                changed(next_token_loss, "-logits.log_softmax(-1)", "(1 - logits.softmax(-1))"),
                changed(next_token_loss, "-logits.log_softmax(-1)", "-logits"),
                changed(next_token_loss, "clamp(min=1)", "clamp(min=1) / torch.tensor(2.0).log()"),
                changed(next_token_loss, "-logits.log_softmax(-1)", "-logits.softmax(-1).log2()"),
            ),
            "Your numbers are not nats: they have another sign or base, no softmax, or no "
            "logarithm. What does a token cost that had a probability of one, and one that had a "
            "half?",
        ),
        Misconception(
            "nothing-to-say",
            changed(next_token_loss, ".clamp(min=1)", ""),
            "This is not a number where no token has to be said. What does the text ask for then?",
        ),
        Misconception(
            "exponentials-out-of-range",
            any_of(
                changed(next_token_loss, "logits.log_softmax(-1)", "logits.softmax(-1).log()"),
                changed(
                    next_token_loss,
                    "logits.log_softmax(-1)",
                    "(logits - logits.exp().sum(-1, keepdim=True).log())",
                    "(logits.exp() / logits.exp().sum(-1, keepdim=True)).log()",
                    "(logits.softmax(-1) + 1e-9).log()",
                ),
            ),
            "This is right for logits near zero. Where they are hundreds apart, an exponential is "
            "too large or becomes 0: do you need the exponentials themselves?",
        ),
    ),
    compare=close(atol=1e-4, rtol=1e-4),
)
