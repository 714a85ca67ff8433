"""Debug: a product of quantized numbers that is added up in too small a type."""

import numpy as np
import torch

from headway.tasks.chapters.cheaper.draw import CLOSE
from headway.tasks.chapters.cheaper.mistakes import BLOCKS_MISCUT
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def product(x, x_scales, w, w_scales):
    """y (B, E) = x Wᵀ, of numbers (B, K, N) and (E, K, N) and scales (B, K) and (E, K)."""
    y = torch.zeros(len(x), len(w))
    for k in range(x.shape[1]):
        sums = x[:, k].int() @ w[:, k].int().T
        scales = x_scales[:, k, None].float() * w_scales[:, k].float()
        y = y + sums * scales
    return y


SUMS = "x[:, k].int() @ w[:, k].int().T"
SCALES = "x_scales[:, k, None].float() * w_scales[:, k].float()"

# The faulty function that the notebook hands out.
(wrapped,) = changed(product, SUMS, "x[:, k] @ w[:, k].T")


def product_cases(rng: np.random.Generator) -> list[Case]:
    def draw(B, E, K, N, size=127, small=1.0):
        """Numbers up to `size`; scales of about a tenth, times `small`."""
        x, w = (
            torch.from_numpy(rng.integers(-size, size + 1, (rows, K, N), dtype=np.int8))
            for rows in (B, E)
        )
        x[0, 0], w[0, 0] = size, size  # one sum is as large as can be
        scales = (
            torch.from_numpy(small * 2.0 ** rng.uniform(-4, -1, (rows, K))).half()
            for rows in (B, E)
        )
        x_scales, w_scales = scales
        return x, x_scales, w, w_scales

    return [
        Case("eight bits, long blocks", *draw(2, 3, 2, 32), core=True),
        Case("four bits and eight, long blocks", *mixed(*draw(3, 2, 3, 32)), core=True),
        Case(SHORT, *draw(2, 3, 2, 2, size=7)),
        Case("one text, one output", *draw(1, 1, 1, 16)),
        Case("as many texts, outputs and blocks", *draw(3, 3, 3, 8)),
        Case(TINY, *draw(2, 3, 2, 16, small=2e-4)),
        Case("a very long block", *draw(2, 2, 1, 4096)),
    ]


def mixed(x, x_scales, w, w_scales):
    """Weights of 4 bits."""
    return x, x_scales, (w // 16).to(torch.int8), w_scales


SHORT, TINY = "short blocks of small numbers", "very small scales"

product_task = Task(
    id="19-cheaper/product",
    title="Repair the product",
    kind="debug",
    points=2,
    minutes=12,
    answer="product",
    cases=product_cases,
    reference=product,
    given=wrapped,
    misconceptions=(
        Misconception(
            "sums-wrap-around",
            changed(
                product,
                SUMS,
                "x[:, k].short() @ w[:, k].short().T",
                "(x[:, k, None] * w[None, :, k]).sum(-1)",
            ),
            "Your sums wrap around still: they, or the products in them, are made in a type that "
            "is too small. In which type is a product of two numbers of 8 bits, and when do you "
            "change it?",
        ),
        Misconception(
            "scales-too-small-for-their-type",
            any_of(
                changed(product, SCALES, "x_scales[:, k, None] * w_scales[:, k]"),
                changed(product, SCALES, "(x_scales[:, k, None] * w_scales[:, k]).float()"),
                changed(product, SUMS, "(x[:, k].half() @ w[:, k].half().T).float()"),
            ),
            "Something is multiplied in 16 bits that doesn't fit there. What is the smallest "
            "number of 16 bits, what is the largest, and how many digits does one have?",
        ),
        BLOCKS_MISCUT.by(
            changed(product, SCALES, "x_scales[:, 0, None].float() * w_scales[:, 0].float()"),
            changed(product, "y = y + sums * scales", "y = sums * scales"),
        ),
    ),
    compare=CLOSE,
)
