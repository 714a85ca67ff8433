"""Build the way into the heads, from one fused projection."""

import numpy as np

from headway.tasks.chapters.many_heads.heads import draw
from headway.tasks.chapters.many_heads.mistakes import (
    AXES_MIXED_UP,
    HEADS_INTERLEAVED,
    HEADS_OF_ANOTHER_WIDTH,
    OPEN_LENGTH,
    QUERIES_KEYS_AND_VALUES_MIXED_UP,
    VIEW_WITHOUT_TRANSPOSE,
    WIDTH_NOT_CHECKED,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import changed
from headway.tasks.engine.task import Case, Task


def split_qkv(qkv, heads):
    """(B, T, 3C) → query, key and value, each (B, H, T, D)."""
    B, T, C = *qkv.shape[:2], qkv.shape[2] // 3
    if C % heads:
        raise ValueError(f"{C} columns do not divide into {heads} heads")
    D = C // heads
    query, key, value = qkv.split(C, dim=-1)
    return tuple(part.reshape(B, T, heads, D).transpose(1, 2) for part in (query, key, value))


def split_cases(rng: np.random.Generator) -> list[Case]:
    return [
        Case("three heads", draw(rng, 2, 5, 36), 3, core=True),
        Case("four heads", draw(rng, 3, 2, 24), 4),
        Case("one head", draw(rng, 2, 3, 12), 1),
        Case("a single token", draw(rng, 2, 1, 24), 2),
        Case("no token at all", draw(rng, 2, 0, 18), 3),
        Case("heads of width one", draw(rng, 1, 3, 12), 4),
        Case("a width that does not divide", draw(rng, 2, 4, 24), 3),
    ]


CUT = "part.reshape(B, T, heads, D).transpose(1, 2)"
_unchecked = changed(split_qkv, "if C % heads", "if False")[0]

split = Task(
    id="09-many-heads/split",
    title="Into the heads",
    kind="build",
    points=1,
    minutes=10,
    answer="split_qkv",
    cases=split_cases,
    reference=split_qkv,
    misconceptions=(
        VIEW_WITHOUT_TRANSPOSE.by(changed(split_qkv, CUT, "part.reshape(B, heads, T, D)")),
        HEADS_INTERLEAVED.by(
            changed(split_qkv, CUT, "part.reshape(B, T, D, heads).permute(0, 3, 1, 2)")
        ),
        HEADS_OF_ANOTHER_WIDTH.by(
            changed(
                split_qkv,
                CUT,
                "part.reshape(B, T, D, heads).transpose(1, 2)",
                "part[:, None].expand(B, heads, T, C)",
            )
        ),
        OPEN_LENGTH.by(
            changed(split_qkv, CUT, "part.reshape(B, T, heads, -1).transpose(1, 2)"),
            changed(
                *changed(split_qkv, "if C % heads", "if 3 * C % heads"),
                CUT,
                "part.reshape(B, T, heads, -1).transpose(1, 2)",
            ),
        ),
        AXES_MIXED_UP.by(
            changed(split_qkv, CUT, "part.reshape(B, T, heads, D)"),
            # Keys that are ready for the product.
            changed(split_qkv, CUT, f"({CUT}.mT if part is key else {CUT})"),
            changed(
                split_qkv,
                "transpose(1, 2)",
                "transpose(2, 3)",
                "transpose(0, 1)",
                "transpose(1, -1)",
            ),
        ),
        QUERIES_KEYS_AND_VALUES_MIXED_UP.by(
            changed(
                split_qkv,
                "(query, key, value)",
                "(key, query, value)",
                "(query, value, key)",
                "(value, query, key)",
                "(key, value, query)",
                "(value, key, query)",
                "(query, query, value)",
                "(key, key, value)",
                "(query, key, key)",
            ),
            changed(
                split_qkv,
                "qkv.split(C, dim=-1)",
                # By heads first, into three inside each; every third column.
                "qkv.reshape(B, T, heads, 3, D).permute(3, 0, 1, 2, 4).flatten(3)",
                "(qkv[..., i::3] for i in range(3))",
            ),
            changed(
                split_qkv,
                f"tuple({CUT} for part in (query, key, value))",
                "qkv.reshape(B, heads, T, 3 * D).split(D, dim=-1)",
                "qkv.reshape(B, T, heads, -1).transpose(1, 2).chunk(3, dim=-1)",
            ),
        ),
        WIDTH_NOT_CHECKED.by(  # torch's own error; an error given back; columns lost
            _unchecked,
            changed(split_qkv, "raise ValueError", "return ValueError"),
            changed(_unchecked, CUT, "part.unflatten(-1, (-1, D)).transpose(1, 2)"),
            changed(_unchecked, CUT, f"part[..., : heads * D]{CUT.removeprefix('part')}"),
        ),
    ),
    compare=close(atol=1e-6),
    excused=("result-shared",),  # the parts are views, as the text allows
)
