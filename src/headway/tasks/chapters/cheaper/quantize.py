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
    SCALE_UPSIDE_DOWN,
    SIGN_OF_THE_LARGEST,
    ZEROS_BREAK,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception, any_of, changed
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


def cut_without_rest(weights, bits, block):
    """The last, shorter block is left out."""
    C = weights.shape[-1] // block * block
    return quantize(weights[..., :C], bits, block)


def rest_joins_in(weights, bits, block):
    """Blocks are made longer until they divide the row."""
    C = weights.shape[-1]
    while block < C and C % block:
        block += 1
    return quantize(weights, bits, block)


def from_least_to_most(weights, bits, block):
    """The least weight becomes the least number, and zero anything."""
    C, top = weights.shape[-1], 2 ** (bits - 1)
    blocks = functional.pad(weights, (0, -C % block)).unflatten(-1, (-1, block))
    low, high = blocks.amin(-1), blocks.amax(-1)
    exact = (high - low) / (2 * top - 1)
    exact = torch.where(exact == 0, 1.0, exact)
    numbers = ((blocks - low[..., None]) / exact[..., None]).round() - top
    meant = ((numbers + top) * exact[..., None] + low[..., None]).flatten(-2)[..., :C]
    return numbers.to(torch.int8), exact.half(), meant


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
        BLOCKS_MISCUT.by(
            changed(
                quantize,
                EXACT,
                "(blocks.abs().amax(dim=(-1, -2), keepdim=True).expand_as(blocks)[..., 0] / top)",
                "(blocks.abs().amax().expand(blocks.shape[:-1]) / top)",
                "(blocks.abs().amax(dim=0, keepdim=True).expand_as(blocks).amax(-1) / top)",
            ),
            changed(
                quantize,
                ".unflatten(-1, (-1, block))",
                ".unflatten(-1, (block, -1)).mT",
            ),
        ),
        RANGE_MISJUDGED.by(
            changed(quantize, EXACT, "blocks.abs().amax(dim=-1) / 2 ** (bits - 1)"),
            changed(quantize, EXACT, "blocks.abs().amax(dim=-1) / (2 ** (bits - 1) - 0.5)"),
            changed(quantize, "2 ** (bits - 1) - 1", "2**bits - 1", "127"),
            changed(quantize, EXACT, "blocks.abs().amax(dim=-1) / bits"),
        ),
        ROUNDED_OTHERWISE.by(
            changed(quantize, ").round()", ").trunc()", ").floor()", ").ceil()", ")"),
        ),
        SIGN_OF_THE_LARGEST.by(
            changed(quantize, EXACT, "blocks.amax(dim=-1) / top", "blocks.amax(dim=-1).abs() / top")
        ),
        ZEROS_BREAK.by(
            changed(quantize, "torch.where(exact == 0, 1.0, exact)", "exact"),
            changed(quantize, "exact = blocks", "exact = 1e-2 + blocks"),
            only_at=(ZEROS,),
        ),
        SCALE_UPSIDE_DOWN.by(
            changed(quantize, GIVEN, "return numbers.to(torch.int8), 1 / scales, meant")
        ),
        Misconception(
            "another-scale-than-is-kept",
            any_of(
                changed(quantize, MEANT, "exact[..., None]"),
                changed(quantize, "scales = exact.half()", "scales = exact"),
                changed(
                    *changed(quantize, MEANT, "exact[..., None]"), "int8), scales", "int8), exact"
                ),
            ),
            "Your weights come back with more digits than a scale of 16 bits has, or with fewer. "
            "Which scale does a reader of the file have?",
        ),
        Misconception(
            "weights-come-back-as-they-were",
            any_of(
                changed(quantize, GIVEN, "return numbers.to(torch.int8), scales, weights.clone()"),
                changed(
                    quantize,
                    GIVEN,
                    "return numbers.to(torch.int8), scales, numbers.flatten(-2)[..., :C]",
                ),
            ),
            "What you hand back isn't what numbers and scales stand for. What would somebody "
            "compute who has nothing but these two?",
        ),
        Misconception(
            "zero-becomes-another-number",
            from_least_to_most,
            "Your least weight becomes the least number, and zero becomes some other. Which "
            "number does a weight of zero get in the text?",
        ),
        Misconception(
            "last-block-mistaken",
            any_of(
                cut_without_rest,
                rest_joins_in,
                changed(quantize, "[..., :C]", ""),
                changed(quantize, "(0, -C % block)", "(-C % block, 0)"),
                changed(quantize, "functional.pad(weights, (0, -C % block))", "weights"),
                changed(quantize, "(0, -C % block)", "(0, block - C % block)"),
            ),
            "The last weights of a row go wrong where they don't fill a block, or where they do. "
            "How many zeros does the text put behind them, and who gets to see those?",
            only_at=("a last block that is shorter", "a row shorter than a block"),
        ),
        RESULTS_IN_ANOTHER_ORDER.by(
            changed(quantize, GIVEN, "return scales, numbers.to(torch.int8), meant"),
            changed(quantize, GIVEN, "return meant, numbers.to(torch.int8), scales"),
        ),
    ),
    compare=close(atol=1e-6, rtol=2e-5),
)
