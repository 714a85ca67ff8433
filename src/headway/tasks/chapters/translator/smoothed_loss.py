"""Build the label-smoothed loss, and the part of it that no model can avoid."""

import numpy as np
import torch

from headway.tasks.chapters.translator.drawn import draw_tensor
from headway.tasks.chapters.translator.smoothing import smoothed_loss
from headway.tasks.chapters.translator.wrong_numbers import MISTAKES as NUMBERS
from headway.tasks.chapters.translator.wrong_targets import MISTAKES as TARGETS
from headway.tasks.engine.compare import close
from headway.tasks.engine.task import Case, Task


def loss_cases(rng: np.random.Generator) -> list[Case]:
    def draw(V, lengths, smoothing, padding=0, scale=1.5):
        T = max(lengths)
        logits = draw_tensor(rng, len(lengths), T, V) * scale
        words = [v for v in range(V) if v != padding]
        target = torch.from_numpy(rng.choice(words, (len(lengths), T)))
        target[torch.arange(T) >= torch.tensor(lengths)[:, None]] = padding
        return logits, target, smoothing, padding

    return [
        Case("one sentence", *draw(5, [4], 0.1), core=True),
        Case("sentences of different lengths", *draw(6, [2, 5, 3], 0.2), core=True),
        Case("no smoothing", *draw(4, [3, 2], 0.0)),
        Case("much smoothing", *draw(4, [1, 3], 0.8)),
        Case("another id for the padding", *draw(5, [4, 1], 0.1, padding=3)),
        Case("a single word", *draw(7, [1], 0.1)),
        Case("logits hundreds apart", *draw(5, [3, 2], 0.1, scale=300.0)),
        Case("more padding than words", *draw(5, [1, 6, 1], 0.3)),
    ]


loss = Task(
    id="13-translator/smoothed-loss",
    title="The smoothed loss and its floor",
    kind="build",
    points=2,
    minutes=18,
    answer="smoothed_loss",
    cases=loss_cases,
    reference=smoothed_loss,
    misconceptions=(*TARGETS, *NUMBERS),
    compare=close(atol=1e-4, rtol=1e-4),
)
