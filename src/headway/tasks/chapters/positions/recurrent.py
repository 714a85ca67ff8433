"""Build: a plain recurrent network, which reads one word after the other."""

import numpy as np
import torch

from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def states(x, W, U, b):
    """(B, T, C): h_t = tanh(x_t W + h_{t−1} U + b), from a state of zeros on."""
    h = torch.zeros_like(x[:, 0])
    found = []
    for t in range(x.shape[1]):
        h = (x[:, t] @ W + h @ U + b).tanh()
        found.append(h)
    return torch.stack(found, dim=1)


def cases(rng: np.random.Generator) -> list[Case]:
    def numbers(*shape, size=1.0):
        return torch.from_numpy(np.round(rng.normal(size=shape) * size, 2)).float()

    def draw(B, T, C):
        return numbers(B, T, C), numbers(C, C, size=0.6), numbers(C, C, size=0.6), numbers(C)

    x, *weights = draw(1, 4, 3)
    no_bias = draw(2, 3, 5)
    no_bias[-1].zero_()
    return [
        Case("two texts of five words", *draw(2, 5, 4), core=True),
        Case("the same words forward and backward", torch.cat([x, x.flip(1)]), *weights, core=True),
        Case("as many texts as words and columns", *draw(3, 3, 3)),
        Case("a single text", *draw(1, 6, 3)),
        Case("a single word", *draw(3, 1, 4)),
        Case("a single number for each word", *draw(2, 4, 1)),
        Case("no bias", *no_bias),
        Case("a long text", *draw(2, 60, 4)),
    ]


STEP = "x[:, t] @ W + h @ U + b"
SQUEEZED = f"({STEP}).tanh()"
START = "torch.zeros_like(x[:, 0])"
GIVEN = "torch.stack(found, dim=1)"
APPEND = "        found.append(h)\n"


def one_text_after_the_other(x, W, U, b):
    """The state goes on from the last word of a text to the first word of the next."""
    B, T, C = x.shape
    return states(x.reshape(1, B * T, C), W, U, b).reshape(B, T, C)


def stepping_over_the_batch(x, W, U, b):
    return states(x.transpose(0, 1), W, U, b).transpose(0, 1)


recurrent_task = Task(
    id="07-positions/recurrent",
    title="Read one word after the other",
    kind="build",
    points=2,
    minutes=12,
    answer="states",
    cases=cases,
    reference=states,
    misconceptions=(
        Misconception(
            "matrices-swapped",
            changed(states, STEP, "x[:, t] @ U + h @ W + b"),
            "Your two matrices have changed places. In a text of one word, where the last state is "
            "zero, which of them should matter?",
        ),
        Misconception(
            "matrix-transposed",
            changed(
                states,
                STEP,
                "x[:, t] @ W.T + h @ U.T + b",
                "x[:, t] @ W.T + h @ U + b",
                "x[:, t] @ W + h @ U.T + b",
                "x[:, t] @ U.T + h @ W.T + b",
            ),
            "At least one of your matrices is transposed. In the formula, do a word and a state "
            "stand before their matrix or behind it?",
        ),
        Misconception(
            "squeezed-otherwise",
            any_of(
                changed(
                    states,
                    SQUEEZED,
                    f"({STEP})",
                    f"({STEP}).sigmoid()",
                    f"({STEP}).relu()",
                    f"({STEP}).clamp(-1, 1)",
                ),
                changed(
                    *changed(states, SQUEEZED, f"({STEP})"),
                    GIVEN,
                    "torch.stack(found, dim=1).tanh()",
                ),
                changed(
                    states,
                    SQUEEZED,
                    "(x[:, t] @ W + b).tanh() + h @ U",
                    "(x[:, t] @ W).tanh() + h @ U + b",
                    "(x[:, t] @ W + h @ U).tanh() + b",
                    "(x[:, t] @ W).tanh() + (h @ U).tanh() + b",
                    "(x[:, t] @ W + h.tanh() @ U + b)",
                    "x[:, t] @ W + (h @ U + b).tanh()",
                ),
                # The state that is handed on is squeezed once more than the one that is given.
                changed(states, STEP, "x[:, t] @ W + h.tanh() @ U + b"),
            ),
            "The tanh is missing, replaced, or not where the formula has it. What does the formula "
            "squeeze, and is that what you give and hand on?",
        ),
        Misconception(
            "state-forgotten",
            any_of(
                changed(
                    states, STEP, "x[:, t] @ W + b", "x[:, t] @ W + torch.zeros_like(h) @ U + b"
                ),
                changed(states, STEP, "x[:, t] @ W + x[:, t] @ U + b"),
                changed(
                    states,
                    "h @ U",
                    "(x[:, t - 1] if t else h) @ U",
                    "x[:, t - 1] @ U",
                    "(x[:, t - 1] @ W if t else h) @ U",
                ),
            ),
            "Your states know only one word, or two. Change the first of three words: should the "
            "third state notice?",
        ),
        Misconception(
            "bias-miscounted",
            changed(
                states,
                STEP,
                "x[:, t] @ W + h @ U",
                "x[:, t] @ W + h @ U + 2 * b",
                "x[:, t] @ W + b + h @ U + (b if t else 0)",
                "x[:, t] @ W + h @ U + (b if t else 0)",
                "x[:, t] @ W + h @ U + (0 if t else b)",
                "(x[:, t] + b) @ W + h @ U",
                "x[:, t] @ W + (h + b) @ U",
            ),
            "This is right without a bias. How often does one step add it, at the first word and "
            "at the others, and is it multiplied by anything?",
        ),
        Misconception(
            "not-from-zero",
            any_of(
                changed(
                    states,
                    START,
                    "torch.ones_like(x[:, 0])",
                    "b.expand(x[:, 0].shape)",
                    "x[:, 0]",
                    "b.tanh().expand(x[:, 0].shape)",
                ),
                changed(
                    states,
                    APPEND,
                    "        h = h if t else x[:, 0]\n        found.append(h)\n",
                    "        h = h if t else x[:, 0] * 0\n        found.append(h)\n",
                ),
            ),
            "Your first state is not what the formula makes of the first word and a state of "
            "zeros. What does your loop start from?",
        ),
        Misconception(
            "states-at-other-words",
            any_of(
                changed(
                    states,
                    f"        h = {SQUEEZED}\n{APPEND}",
                    f"{APPEND}        h = {SQUEEZED}\n",
                ),
                changed(states, "found = []", "found = [h]"),
                changed(states, GIVEN, "torch.stack(found[1:] + found[-1:], dim=1)"),
                changed(states, "range(x.shape[1])", "reversed(range(x.shape[1]))"),
                changed(states, GIVEN, "torch.stack(found[::-1], dim=1)"),
                changed(
                    *changed(states, "range(x.shape[1])", "reversed(range(x.shape[1]))"),
                    GIVEN,
                    "torch.stack(found[::-1], dim=1)",
                ),
            ),
            "Your states are one place off, or come from the end of the text. Which words should "
            "the first state have read?",
        ),
        Misconception(
            "texts-meet",
            any_of(
                one_text_after_the_other,
                stepping_over_the_batch,
                changed(
                    states, "h @ U", "h.mean(0, keepdim=True) @ U", "h[:1] @ U", "h.sum(0) @ U"
                ),
            ),
            "What one text says gets into the states of another. How many states are there at a "
            "time, and which axis do your steps go along?",
        ),
        Misconception(
            "last-state-only",
            any_of(
                changed(
                    states,
                    GIVEN,
                    "h",
                    "h[:, None]",
                    "h[:, None].expand(x.shape)",
                    "torch.stack(found, dim=1).mean(1)",
                ),
                changed(states, APPEND, "        found = [h]\n"),
            ),
            "Your words share one state, or only one is left. After which words is a state asked "
            "for?",
        ),
        Misconception(
            "states-summed",
            any_of(
                changed(states, f"h = {SQUEEZED}", f"h = h + {SQUEEZED}"),
                changed(
                    states,
                    SQUEEZED,
                    "((x[:, t] @ W + b).tanh() + h)",
                    "(x[:, t] @ W + h + b).tanh()",
                    "((x[:, t] + h) @ W + b).tanh()",
                ),
                changed(states, GIVEN, "torch.stack(found, dim=1).cumsum(1)"),
                changed(states, STEP, "x[:, : t + 1].sum(1) @ W + h @ U + b"),
            ),
            "You add the last state, or earlier words, once too often or without a matrix. What "
            "does a state go through before it meets the next word?",
        ),
        Misconception(
            "axes-in-another-order",
            changed(
                states,
                GIVEN,
                "torch.stack(found, dim=0)",
                "torch.stack(found, dim=2)",
                "torch.cat(found, dim=1)",
            ),
            "Your states are right, but two of their axes are swapped or joined. Which shape is "
            "asked for?",
        ),
    ),
    compare=close(atol=1e-4),
)
