"""Debug: a decoder that sees its own answer."""

import numpy as np
import torch

from headway.nn.attention import attend
from headway.tasks.chapters.translator.drawn import draw_tensor, near, visible
from headway.tasks.chapters.translator.mistakes import (
    ANSWER_READ,
    CAUSAL_MISPLACED,
    CAUSAL_ON_THE_SOURCE,
    PADDING_SEEN,
    SOME_SIZES,
    START_MISSING,
    WORDS_LOST,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import changed, seen
from headway.tasks.engine.task import Case, Task


def forced_logits(target, memory, memory_mask, embedding, start):
    """Logits (B, T, V) of a decoder without weights: embeddings, two attentions, scores."""
    T = target.shape[1]
    read = target.roll(1, dims=1)
    read[:, 0] = start
    x = embedding[read]
    mask = torch.ones(T, T).tril().bool()
    x = x + attend(x, x, x, mask)[0]
    x = x + attend(x, memory, memory, memory_mask[:, None, :])[0]
    return x @ embedding.T


SIZES = (
    "a target longer than the source",
    "a target as long as the source",
    "two words",
    "one word",
)


def leak_cases(rng: np.random.Generator) -> list[Case]:
    def draw(T, lengths, S, V=7, C=4):
        B = len(lengths)
        target = torch.from_numpy(rng.integers(1, V, (B, T)))
        target[:, :2] = torch.from_numpy(
            np.array([rng.permutation(V - 1)[:2] + 1 for _ in range(B)])
        )[:, :T]
        memory, mask = draw_tensor(rng, B, S, C), visible(*lengths, width=S)
        return target, memory, mask, draw_tensor(rng, V, C), 0

    return [
        Case("one sentence", *draw(5, [4], 4), core=True),
        Case("a batch with padded sources", *draw(4, [2, 5, 3], 5), core=True),
        *(
            Case(label, *draw(*sizes))
            for label, sizes in zip(
                SIZES,
                [(6, [2, 1], 2), (4, [4, 2], 4), (2, [3], 3), (1, [3, 2], 3)],
                strict=True,
            )
        ),
    ]


SHIFT = "target.roll(1, dims=1)\n    read[:, 0] = start"
SOURCE_MASK = "memory_mask[:, None, :]"
(given_decoder,) = changed(forced_logits, ".tril()", ".tril(1)")
(unshifted,) = changed(forced_logits, SHIFT, "target")
(turned_round,) = changed(forced_logits, "read[:, 0] = start", "pass")
(source_unmasked,) = changed(forced_logits, SOURCE_MASK, "None")
WIDER = ".tril(1)", ".triu()", ".triu(1)", ".tril(-1)", ""


def equals(idea):
    """By a wrong answer that may be wrong in another way, too: in what of the read is seen."""
    ideas = idea, *changed(idea, ".tril()", *WIDER)
    return lambda got, expected, case: near(got, *(other(*case.inputs) for other in ideas))


def first_wrong(places: slice):
    """Whether some positions are right although others aren't."""
    return lambda got, expected, case: (
        got.shape == expected.shape
        and got.shape[1] > 1
        and near(got[:, places], expected[:, places])
        and not near(got, expected)
    )


leak = Task(
    id="13-translator/leak",
    title="Repair the decoder",
    kind="debug",
    points=2,
    minutes=12,
    answer="forced_logits",
    cases=leak_cases,
    reference=forced_logits,
    given=given_decoder,
    misconceptions=(
        SOME_SIZES.by(only_at=SIZES),
        CAUSAL_MISPLACED.by(
            changed(forced_logits, ".tril()", ".tril(-1)", ".triu()", ".triu(1)"),
            changed(forced_logits, "torch.ones(T, T).tril()", "torch.eye(T)"),
            shows=first_wrong(slice(-1, None)),
        ),
        ANSWER_READ.by(unshifted, shows=equals(unshifted)),
        START_MISSING.by(turned_round, shows=equals(turned_round)),
        WORDS_LOST.by(
            *(
                changed(version, SHIFT, f"target.roll(2, dims=1)\n    read[:, :{n}] = start")
                for version in (given_decoder, forced_logits)
                for n in (1, 2)
            )
        ),
        CAUSAL_ON_THE_SOURCE.by(
            changed(
                forced_logits,
                SOURCE_MASK,
                f"{SOURCE_MASK} & torch.ones(T, memory.shape[1]).tril().bool()",
            )
        ),
        PADDING_SEEN.by(source_unmasked, shows=equals(source_unmasked)),
        seen(
            "later-positions-differ",
            "Your first position is right, which has read the start symbol alone. Which of the "
            "words should a later one have read, and which does yours see?",
            first_wrong(slice(0, 1)),
        ),
        seen(
            "first-position-differs",
            "Already the first position is wrong, which has only the start symbol and the source "
            "to go by. What else does yours see, or which step have you changed or left out?",
            lambda got, expected, case: got.shape == expected.shape,
        ),
    ),
    compare=close(atol=1e-4, rtol=1e-4),
)
