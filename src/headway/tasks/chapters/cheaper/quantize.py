"""Build: weights as small whole numbers, with a scale for each block of them."""

import numpy as np
import torch
from torch.nn import functional

from headway.tasks.chapters.cheaper.draw import draw_blocks
from headway.tasks.chapters.cheaper.mistakes import (
    BLOCKS_MISCUT,
    RANGE_MISJUDGED,
    RESULTS_IN_ANOTHER_ORDER,
    ROUNDED_OTHERWISE,
    SIGN_OF_THE_LARGEST,
    ZEROS_BREAK,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception, changed, seen
from headway.tasks.engine.task import Case, Task


def quantize(weights, bits, block):
    """numbers (..., K, N), scales (..., K) in 16 bits, and what they stand for (..., C)."""
    C, top = weights.shape[-1], 2 ** (bits - 1) - 1
    blocks = functional.pad(weights, (0, -C % block)).unflatten(-1, (-1, block))
    exact = blocks.abs().amax(dim=-1) / top
    numbers = (blocks / torch.where(exact == 0, 1.0, exact)[..., None]).round()
    scales = exact.half()
    meant = (numbers * scales.float()[..., None]).flatten(-2)[..., :C]
    return numbers.to(torch.int8), scales, meant


def quantize_cases(rng: np.random.Generator) -> list[Case]:
    def draw(rows, C, bits, block, zeros=False):
        top = 2 ** (bits - 1) - 1
        K = -(-C // block)
        signs = rng.choice([-1, 1], (*rows, K, 1))
        signs[..., 0, :] = -1  # in some blocks the largest has a minus, in others not
        numbers, scales = draw_blocks(
            rng, *rows, K, min(block, C), low=-top, high=top, largest=signs * top
        )
        weights = (numbers * scales).float()
        if zeros:
            weights[..., -1, :] = 0
        return weights.flatten(-2)[..., :C], bits, block

    return [
        Case("four bits", *draw((3,), 32, 4, 8), core=True),
        Case("eight bits", *draw((2,), 48, 8, 16), core=True),
        Case("two bits", *draw((4,), 24, 2, 8)),
        Case("five bits, one row alone", *draw((), 20, 5, 5)),
        Case("a matrix for each of several heads", *draw((2, 3), 12, 4, 4)),
        Case(ZEROS, *draw((3,), 16, 4, 8, zeros=True)),
        Case("a last block that is shorter", *draw((3,), 22, 4, 8), path=REST),
        Case("a row shorter than a block", *draw((3,), 5, 4, 8), path=REST),
        Case("one weight a block", *draw((2,), 6, 8, 1)),
    ]


ZEROS, REST = "a block of zeros", "rows that are no multiple of a block"
EXACT = "blocks.abs().amax(dim=-1) / top"
MEANT = "scales.float()[..., None]"
GIVEN = "return numbers.to(torch.int8), scales, meant"


def no_largest_number(got, expected, case) -> bool:
    """Whether no block has the largest number for its largest weight."""
    mine, right = got[0], expected[0]
    largest = abs(right).max(-1, keepdims=True)
    return bool((mine != right)[(abs(right) == largest) & (largest > 0)].all())


def larger_scales(got, expected, case) -> bool:
    """Whether some blocks have a scale that is too large, and the others their own."""
    mine, right = got[1], expected[1]
    return bool((mine >= right).all() and (mine == right).any() and (mine > right).any())


def numbers_right(got, expected, case) -> bool:
    return np.array_equal(got[0], expected[0])


quantize_task = Task(
    id="19-cheaper/quantize",
    title="Weights in few bits",
    kind="build",
    points=2,
    minutes=20,
    answer="quantize",
    cases=quantize_cases,
    reference=quantize,
    misconceptions=(
        ZEROS_BREAK.by(only_at=(ZEROS,)),
        seen(
            "last-block-mistaken",
            "The last weights of a row go wrong where they don't fill a block, or where they do. "
            "How many zeros does the text put behind them, and who gets to see those?",
            only_at=("a last block that is shorter", "a row shorter than a block"),
        ),
        BLOCKS_MISCUT.by(
            changed(
                quantize,
                EXACT,
                "(blocks.abs().amax(dim=(-1, -2), keepdim=True).expand_as(blocks)[..., 0] / top)",
                "(blocks.abs().amax().expand(blocks.shape[:-1]) / top)",
            ),
            changed(quantize, ".unflatten(-1, (-1, block))", ".unflatten(-1, (block, -1)).mT"),
            shows=larger_scales,
        ),
        ROUNDED_OTHERWISE.by(
            changed(quantize, ").round()", ").trunc()", ").floor()", ").ceil()", ")"),
        ),
        SIGN_OF_THE_LARGEST.by(
            changed(quantize, EXACT, "blocks.amax(dim=-1) / top", "blocks.amax(dim=-1).abs() / top")
        ),
        RANGE_MISJUDGED.by(
            changed(quantize, EXACT, "blocks.abs().amax(dim=-1) / 2 ** (bits - 1)"),
            shows=no_largest_number,
        ),
        Misconception(
            "another-scale-than-is-kept",
            changed(quantize, MEANT, "exact[..., None]"),
            "Your numbers are right, but not your scales, or the weights that come back. With "
            "what does a reader multiply who has only the numbers and the scales of 16 bits?",
            numbers_right,
        ),
        RESULTS_IN_ANOTHER_ORDER.by(
            changed(
                quantize,
                GIVEN,
                "return scales, numbers.to(torch.int8), meant",
                "return meant, numbers.to(torch.int8), scales",
            ),
        ),
    ),
    compare=close(atol=1e-6, rtol=2e-5),
)
