"""Stretch: the bytes of GGUF's Q4_0, a scale by the extreme and two numbers in a byte."""

import numpy as np
import torch

from headway.tasks.chapters.cheaper.draw import draw_blocks
from headway.tasks.chapters.cheaper.mistakes import (
    BLOCKS_MISCUT,
    RANGE_MISJUDGED,
    ROUNDED_OTHERWISE,
    SIGN_OF_THE_LARGEST,
    ZEROS_BREAK,
)
from headway.tasks.engine.compare import Difference, equal
from headway.tasks.engine.mistakes import Misconception, changed, seen
from headway.tasks.engine.task import Case, Task

EQUAL = equal()


def pack(weights, block):
    """Weights (R, C) as bytes, uint8 (R, C / N · (2 + N / 2))."""
    blocks = weights.unflatten(-1, (-1, block))
    largest = blocks.gather(-1, blocks.abs().argmax(dim=-1, keepdim=True))
    scales = largest / -8
    numbers = blocks / torch.where(scales == 0, 1.0, scales)
    places = (numbers + 8).round().clamp(0, 15).to(torch.uint8)
    first, second = places.chunk(2, dim=-1)
    half = scales.half().view(torch.uint8)
    return torch.cat([half, first | second << 4], dim=-1).flatten(1)


def pack_cases(rng: np.random.Generator) -> list[Case]:
    def draw(R, K, N, sign=None, full=False, zeros=False):
        """`sign` of each block's largest; `full`: others are nearly as large, on the other side."""
        signs = rng.choice([-1, 1], (R, K, 1)) if sign is None else np.full((R, K, 1), sign)
        signs[-1, -1] = 1 if sign is None else sign
        numbers, scales = draw_blocks(rng, R, K, N, low=-8, high=7, largest=-8)
        if full:
            others = torch.from_numpy(rng.integers(1, N, (R, K, 1)))
            numbers.scatter_(-1, (numbers.argmin(-1, keepdim=True) + others) % N, 7.7)
        weights = -torch.from_numpy(signs) * numbers * scales
        if zeros:
            weights[:, -1] = 0
        return weights.float().flatten(1), N

    return [
        Case("blocks of 32, largest weights of either sign", *draw(3, 4, 32), core=True),
        Case("blocks of 16", *draw(3, 4, 16), core=True),
        Case("one row of one block", *draw(1, 1, 64)),
        Case("blocks of two", *draw(2, 32, 2)),
        Case("largest weights that are negative", *draw(2, 2, 32, sign=-1)),
        Case(FULL, *draw(3, 4, 16, full=True)),
        Case(ZEROS, *draw(2, 4, 32, zeros=True)),
        Case("as many rows as blocks", *draw(2, 2, 32)),
    ]


FULL, ZEROS = "weights nearly as large, of the other sign", "a block of zeros"


def same_bytes(got, expected, case) -> Difference | None:
    """As equal; a scale of −0 is one of 0."""
    size = 2 + case.inputs[1] // 2
    return EQUAL(*(_without_minus_zero(value, size) for value in (got, expected)), case)


def _without_minus_zero(value, size):
    array = np.asarray(value)
    if array.ndim != 2 or array.dtype.kind not in "iu" or array.shape[1] % size:
        return value
    blocks = array.reshape(len(array), -1, size).copy()
    blocks[(blocks[..., 0] == 0) & (blocks[..., 1] == 128), 1] = 0
    return blocks.reshape(array.shape)


SCALES = "scales = largest / -8"
OF_THE_ROW = """\
    scales = weights.gather(-1, weights.abs().argmax(-1, keepdim=True)) / -8
    scales = scales[:, None].expand_as(largest).contiguous()
""".strip()
PLACES = "(numbers + 8).round().clamp(0, 15).to(torch.uint8)"
CHUNKS = "first, second = places.chunk(2, dim=-1)"
JOINED = "torch.cat([half, first | second << 4], dim=-1).flatten(1)"

pack_task = Task(
    id="19-cheaper/pack",
    title="The bytes of a file",
    kind="stretch",
    points=4,
    minutes=30,
    answer="pack",
    cases=pack_cases,
    reference=pack,
    misconceptions=(
        SIGN_OF_THE_LARGEST.by(
            changed(pack, SCALES, "scales = largest.abs() / -8", "scales = largest.abs() / 8"),
            changed(pack, "blocks.abs().argmax", "blocks.argmax", "blocks.argmin"),
            changed(pack, SCALES, "scales = largest / 8"),
        ),
        RANGE_MISJUDGED.by(
            changed(pack, SCALES, "scales = largest / -7", "scales = largest.abs() / 7"),
            changed(pack, SCALES, "scales = largest / -16"),
        ),
        ROUNDED_OTHERWISE.by(
            changed(pack, "(numbers + 8).round()", "(numbers + 8)", "(numbers + 8).ceil()")
        ),
        seen(
            "sixteen-in-four-bits",
            "A weight nearly as large as the extreme, but of the other sign, goes wrong. Which "
            "number would it get, and which is the largest of four bits?",
            only_at=(FULL,),
        ),
        Misconception(
            "eight-not-added",
            changed(
                pack,
                PLACES,
                "(numbers.round().clamp(-8, 7).to(torch.int8) & 15).to(torch.uint8)",
                "(numbers + 7).round().clamp(0, 15).to(torch.uint8)",
                "numbers.round().clamp(0, 15).to(torch.uint8)",
            ),
            "Your four bits don't say what a reader takes 8 from. Which four bits has a weight of "
            "zero, and which has the extreme?",
        ),
        Misconception(
            "other-pairs-in-a-byte",
            changed(
                pack,
                CHUNKS,
                "first, second = places[..., ::2], places[..., 1::2]",
                "second, first = places.chunk(2, dim=-1)",
                "second, first = places[..., ::2], places[..., 1::2]",
            ),
            "Your bytes hold the right numbers in other pairs, or each pair upside down. Which "
            "two weights of a block share its first byte, and which has the lower bits?",
        ),
        Misconception(
            "bytes-in-another-order",
            changed(
                pack,
                JOINED,
                "torch.cat([first | second << 4, half], dim=-1).flatten(1)",
                "torch.cat([half.flatten(1), (first | second << 4).flatten(1)], dim=1)",
                "torch.cat([half.flip(-1), first | second << 4], dim=-1).flatten(1)",
            ),
            "The right bytes come in another order. What does a block begin with, its smaller "
            "byte first, and where does the next block begin?",
        ),
        ZEROS_BREAK.by(only_at=(ZEROS,)),
        BLOCKS_MISCUT.by(
            changed(
                pack,
                "weights.unflatten(-1, (-1, block))",
                "weights.unflatten(-1, (block, -1)).mT",
                "weights.unflatten(-1, (-1, 32))",
            ),
            changed(pack, SCALES, OF_THE_ROW),
        ),
    ),
    compare=same_bytes,
)
