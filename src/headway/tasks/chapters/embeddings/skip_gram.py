"""Build the loss of the skip-gram model on a sentence, with the full softmax."""

from functools import partial

import numpy as np
import torch

from headway.tasks.chapters.embeddings.mistakes import (
    ANOTHER_LOGARITHM,
    ANOTHER_WHOLE,
    CENTER_MISTAKEN,
    EDGES_OF_THE_SENTENCE,
    GIVEN_AND_GUESSED,
    ONE_SIDE_ONLY,
    OUT_OF_RANGE,
    PROBABILITY_FOR_LOGARITHM,
    SOFTMAX_TWICE,
    SUM_AND_MEAN,
    WEIGHED_BY_DISTANCE,
    WINDOW_OFF_BY_ONE,
    WRONG_SIGN,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.mistakes import Misconception, changed
from headway.tasks.engine.task import Case, Task


def skip_gram_loss(ids, given, guessed, window):
    """The sum of −ln softmax(E[center] Uᵀ)[context] over all pairs, divided by T; () in nats."""
    losses = []
    for t in range(len(ids)):
        logs = (guessed @ given[ids[t]]).log_softmax(dim=0)
        for s in range(max(0, t - window), min(len(ids), t + window + 1)):
            if s != t:
                losses.append(-logs[ids[s]])
    return sum(losses, torch.zeros(())) / len(ids)


def skip_gram_cases(rng: np.random.Generator) -> list[Case]:
    def draw(T, V, C, window, size=1.0):
        """No word is a neighbor of itself, as long as there are enough of them."""
        words = rng.permutation(V)[: max(window + 1, -(-T // 2))]
        ids = torch.from_numpy(np.resize(words, T))
        tables = (
            torch.from_numpy((size * rng.normal(size=(V, C))).astype(np.float32)) for _ in range(2)
        )
        return ids, *tables, window

    def nearest():
        return draw(9, 6, 3, 1)

    def tells(drawn):
        """Whether it shows when tables change places, or when the ends are neighbors."""
        ids, given, guessed, window = drawn
        swapped = skip_gram_loss(ids, guessed, given, window)
        ends = (guessed @ given[ids[0]]).log_softmax(dim=0)[ids[-1]]
        return abs(skip_gram_loss(*drawn) - swapped) > 0.05 and ends < -0.1

    beside = draw(6, 5, 3, 2)
    beside[0][3] = beside[0][2]
    return [
        Case("nine words, the nearest neighbors only", *draw_until(tells, nearest), core=True),
        Case("two words to each side", *draw(9, 6, 3, 2)),
        Case("as many words as columns", *draw(7, 4, 4, 1)),
        Case("a window wider than the sentence", *draw(4, 5, 2, 9), path="edges"),
        Case("two words", *draw(2, 5, 3, 1), path="edges"),
        Case("a single word, and so no pair", *draw(1, 4, 3, 2), path="edges"),
        Case("a word beside itself", *beside),
        Case("scores in the thousands", *draw(6, 5, 4, 2, size=60.0)),
    ]


def guess_the_center(ids, given, guessed, window, mixed=torch.mean):
    """Continuous bag of words: the word from the mean of its neighbors, or from their sum."""
    losses = []
    for t in range(len(ids)):
        near = [s for s in range(max(0, t - window), min(len(ids), t + window + 1)) if s != t]
        if near:
            logs = (guessed @ mixed(given[ids[near]], dim=0)).log_softmax(dim=0)
            losses.append(-logs[ids[t]])
    return sum(losses, torch.zeros(())) / len(ids)


LOGS, WHOLE = (
    "(guessed @ given[ids[t]]).log_softmax(dim=0)",
    "sum(losses, torch.zeros(())) / len(ids)",
)
TERM = "-logs[ids[s]]"
BOUNDS = "range(max(0, t - window), min(len(ids), t + window + 1))"
LOOP = (
    f"        for s in {BOUNDS}:\n            if s != t:\n"
    "                losses.append(-logs[ids[s]])\n"
)
OWN_MEAN = (
    f"        near = [s for s in {BOUNDS} if s != t]\n"
    "        if near:\n"
    "            losses.append(-logs[ids[near]].mean())\n"
)
shares = changed(skip_gram_loss, "log_softmax", "softmax")

skip_gram_task = Task(
    id="06-embeddings/skip-gram",
    title="What it costs to guess the neighbors",
    kind="build",
    points=2,
    minutes=10,
    answer="skip_gram_loss",
    cases=skip_gram_cases,
    reference=skip_gram_loss,
    misconceptions=(
        GIVEN_AND_GUESSED.by(
            changed(
                skip_gram_loss,
                "(guessed @ given[ids[t]])",
                "(given @ guessed[ids[t]])",
                "(given @ given[ids[t]])",
                "(guessed @ guessed[ids[t]])",
            ),
            guess_the_center,
            partial(guess_the_center, mixed=torch.sum),
        ),
        ANOTHER_WHOLE.by(
            changed(
                skip_gram_loss,
                LOGS,
                "(guessed @ given.mT).flatten().log_softmax(dim=0).view(-1, len(given))[:, ids[t]]",
                "(guessed @ given[ids[t]]) - (guessed @ given[ids[t]])[ids.unique()].logsumexp(0)",
                "(guessed @ given[ids[t]]) - (guessed @ given[ids[t]])[ids].logsumexp(0)",
                "(guessed @ given[ids[t]]).sigmoid().log()",
            )
        ),
        SUM_AND_MEAN.by(
            changed(skip_gram_loss, LOOP, OWN_MEAN),
            changed(
                skip_gram_loss,
                WHOLE,
                "sum(losses, torch.zeros(()))",
                "sum(losses, torch.zeros(())) / max(len(losses), 1)",
                "torch.stack(losses).mean() if losses else torch.zeros(())",
                "torch.stack(losses).mean()",
                "sum(losses, torch.zeros(())) / (2 * window * len(ids))",
                "sum(losses, torch.zeros(())) / len(given)",
                "sum(losses, torch.zeros(())) / window",
            ),
        ),
        WRONG_SIGN.by(changed(skip_gram_loss, TERM, "logs[ids[s]]")),
        SOFTMAX_TWICE.by(
            changed(
                skip_gram_loss,
                ".log_softmax(dim=0)",
                ".softmax(dim=0).log_softmax(dim=0)",
            ),
        ),
        PROBABILITY_FOR_LOGARITHM.by(
            changed(*shares, TERM, "logs[ids[s]]"),
            changed(*shares, TERM, "1 - logs[ids[s]]"),
            shares,
            changed(*changed(*shares, TERM, "logs[ids[s]]"), WHOLE, f"-({WHOLE}).log()"),
            changed(skip_gram_loss, ".log_softmax(dim=0)", ""),
        ),
        ANOTHER_LOGARITHM.by(changed(skip_gram_loss, TERM, "-logs[ids[s]] / np.log(2)")),
        OUT_OF_RANGE.by(
            changed(*shares, TERM, "-logs[ids[s]].log()", "-(logs[ids[s]] + 1e-9).log()"),
            changed(*shares, TERM, "-logs[ids[s]].clamp(min=1e-9).log()"),
            changed(
                skip_gram_loss,
                LOGS,
                "((guessed @ given[ids[t]]).exp() / (guessed @ given[ids[t]]).exp().sum()).log()",
            ),
        ),
        WINDOW_OFF_BY_ONE.by(
            changed(
                skip_gram_loss,
                BOUNDS,
                "range(max(0, t - window), min(len(ids), t + window))",
                "range(max(0, t - window + 1), min(len(ids), t + window + 1))",
                "range(max(0, t - window - 1), min(len(ids), t + window + 2))",
            )
        ),
        ONE_SIDE_ONLY.by(
            changed(
                skip_gram_loss,
                BOUNDS,
                "range(t, min(len(ids), t + window + 1))",
                "range(max(0, t - window), t)",
            )
        ),
        WEIGHED_BY_DISTANCE.by(
            changed(skip_gram_loss, "if s != t:", "if abs(s - t) == window:"),
            changed(skip_gram_loss, TERM, "-logs[ids[s]] / abs(s - t)"),
        ),
        CENTER_MISTAKEN.by(
            changed(skip_gram_loss, "if s != t:", "if True:", "if ids[s] != ids[t]:")
        ),
        EDGES_OF_THE_SENTENCE.by(
            changed(
                skip_gram_loss,
                BOUNDS,
                "range(t - window, min(len(ids), t + window + 1))",
                "[s % len(ids) for s in range(t - window, t + window + 1)]",
            ),
            changed(
                skip_gram_loss,
                LOOP,
                "        for o in [*ids[max(-len(ids), t - window) : t], *ids[t + 1 :][:window]]:\n"
                "            losses.append(-logs[o])\n",
                "        for o in [*ids[t - window : t], *ids[t + 1 : t + window + 1]]:\n"
                "            losses.append(-logs[o])\n",
            ),
            changed(
                skip_gram_loss,
                "for t in range(len(ids)):",
                "for t in range(window, len(ids) - window):",
            ),
        ),
        Misconception(
            "no-pairs-no-number",
            changed(skip_gram_loss, WHOLE, "torch.stack(losses).sum() / len(ids)"),
            "Where there is no pair, yours raises or gives no number. What does the text say of a "
            "sentence of one word?",
        ),
    ),
    compare=close(atol=1e-4, rtol=1e-4),
)
