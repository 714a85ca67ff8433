"""Build the way into the heads, from one fused projection."""

import numpy as np

from headway.tasks.chapters.many_heads.heads import draw, into_heads, thirds
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task


def split_qkv(qkv, heads):
    """(B, T, 3C) → query, key and value, each (B, H, T, D)."""
    return tuple(into_heads(part, heads) for part in thirds(qkv, heads))


def split_cases(rng: np.random.Generator) -> list[Case]:
    return [
        Case("three heads", draw(rng, 2, 5, 36), 3, core=True),
        Case("four heads", draw(rng, 3, 2, 24), 4, core=True),
        Case("one head", draw(rng, 2, 3, 12), 1),
        Case("a single token", draw(rng, 2, 1, 24), 2),
        Case("no token at all", draw(rng, 2, 0, 18), 3),
        Case("heads of width one", draw(rng, 1, 3, 12), 4),
        Case("a width that does not divide", draw(rng, 2, 4, 24), 3),
    ]


def _each(split):
    return lambda qkv, heads: tuple(split(part, heads) for part in thirds(qkv, heads))


def _viewed(x, heads):
    B, T, C = x.shape
    return x.reshape(B, heads, T, C // heads)


def _interleaved(x, heads):
    B, T, C = x.shape
    return x.reshape(B, T, C // heads, heads).permute(0, 3, 1, 2)


def _width_for_heads(x, heads):
    B, T, C = x.shape
    return x.reshape(B, T, C // heads, heads).transpose(1, 2)


def _unmoved(x, heads):
    return into_heads(x, heads).transpose(1, 2)


def _keys_ready(qkv, heads):
    query, key, value = split_qkv(qkv, heads)
    return query, key.transpose(2, 3), value


def _ordered(*order):
    def split(qkv, heads):
        parts = split_qkv(qkv, heads)
        return tuple(parts[i] for i in order)

    return split


def _thirds_inside(qkv, heads):
    thirds(qkv, heads)
    B, T, C = qkv.shape
    return qkv.reshape(B, T, heads, 3, C // 3 // heads).permute(3, 0, 2, 1, 4).unbind(0)


def _every_third(qkv, heads):
    thirds(qkv, heads)
    return tuple(into_heads(qkv[..., i::3], heads) for i in range(3))


def _all_columns(x, heads):
    return x[:, None].expand(-1, heads, -1, -1)


def _heads_first(qkv, heads):
    """Cut by heads, by a view, before the thirds are cut."""
    thirds(qkv, heads)
    B, T, C = qkv.shape
    return qkv.reshape(B, heads, T, C // heads).split(C // 3 // heads, dim=-1)


def _another_error(qkv, heads):
    assert qkv.shape[-1] // 3 % heads == 0
    return split_qkv(qkv, heads)


def _columns_lost(qkv, heads):
    parts = qkv.split(qkv.shape[-1] // 3, dim=-1)
    kept = qkv.shape[-1] // 3 // heads * heads
    return tuple(into_heads(part[..., :kept], heads) for part in parts)


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
        Misconception(
            "view-without-transpose",
            _each(_viewed),
            "The shapes are right, the numbers are not: the first of your heads holds whole tokens "
            "from the beginning of the sentence, all of their columns. Should a head have all "
            "columns of some tokens, or some columns of all tokens?",
        ),
        Misconception(
            "interleaved",
            _each(_interleaved),
            "Your heads take turns: each gets every so many columns. Here the columns of a head "
            "stand next to each other. Which of the two new axes has to come first when a row is "
            "cut?",
        ),
        Misconception(
            "heads-after-time",
            _each(_unmoved),
            "The numbers are right, the axes are not in order: for each token you have its heads. "
            "What should stand right behind the batch?",
        ),
        Misconception(
            "width-for-heads",
            _each(_width_for_heads),
            "You have as many heads as a head should be wide. Which of the two numbers is given?",
        ),
        Misconception(
            "keys-transposed",
            _keys_ready,
            "Queries and values are right. Your keys have been turned already, for the product "
            "that comes later. Which shape is asked for?",
        ),
        Misconception(
            "query-and-key-swapped",
            _ordered(1, 0, 2),
            "Your queries are the keys, and the other way round. Which third of the columns comes "
            "first?",
        ),
        Misconception(
            "values-first",
            _ordered(2, 0, 1),
            "Your three parts have changed places: the values came last. Which third is which?",
        ),
        Misconception(
            "reversed-order",
            _ordered(2, 1, 0),
            "Queries and values have changed places. Which third of the columns comes first?",
        ),
        Misconception(
            "thirds-inside-heads",
            _thirds_inside,
            "You cut by heads first, and into query, key and value inside each head. In which "
            "order are the columns laid out here?",
        ),
        Misconception(
            "view-before-thirds",
            _heads_first,
            "Right for one head. Elsewhere the numbers of queries, keys and values are mixed up, "
            "even for a single token: you cut by heads before the three parts are apart. What do "
            "the first columns hold?",
        ),
        Misconception(
            "every-third-column",
            _every_third,
            "Each of your parts takes every third column. How do the columns of the queries stand: "
            "spread out, or together?",
        ),
        Misconception(
            "all-columns-in-each-head",
            _each(_all_columns),
            "Each of your heads has all columns. How wide is a head if all share the width?",
        ),
        Misconception(
            "columns-lost",
            _columns_lost,
            "Right where the width divides. Where it does not, you leave columns out without a "
            "word. What should happen instead?",
        ),
        Misconception(
            "another-error",
            _another_error,
            "All is right but for a width that does not divide. Something is raised there, though "
            "another error than the one asked for. Which one is it?",
        ),
    ),
    compare=close(atol=1e-6),
)
