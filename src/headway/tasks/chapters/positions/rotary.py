"""Build: scores of queries and keys that are turned by their positions."""

import numpy as np
import torch

from headway.tasks.chapters.positions.mistakes import (
    ANOTHER_LAYOUT,
    COUNTED_FROM_ONE,
    FURTHER_THAN_ASKED,
    LAYOUTS_MIXED,
    NOT_A_ROTATION,
    NOT_TURNED,
    ONE_SHAPE_ONLY,
    ONE_SIDE_TURNED,
    ONE_SPEED_FOR_ALL,
    OTHER_POSITIONS,
    ROWS_AND_COLUMNS_SWAPPED,
    SPEEDS_SWAPPED,
    TURNED_APART,
    TURNED_BACKWARDS,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.duties import LARGE_NUMBERS
from headway.tasks.engine.mistakes import AnyOf, Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def rotary_scores(query, key, query_positions, key_positions, speeds):
    """(..., T, S): (R_p q) · (R_s k), where R_p turns the pairs (i, i + D/2) by p · speeds[i]."""
    queries = turned(query, query_positions, speeds)
    keys = turned(key, key_positions, speeds)
    return queries @ keys.mT


def turned(x, positions, speeds):
    angles = positions[:, None] * speeds
    cos, sin = angles.cos(), angles.sin()
    first, second = x.chunk(2, -1)
    return torch.cat([first * cos - second * sin, first * sin + second * cos], -1)


def turned_side_by_side(x, positions, speeds):
    """The same with the pairs (2i, 2i + 1)."""
    halves = torch.cat([x[..., 0::2], x[..., 1::2]], -1)
    return torch.stack(turned(halves, positions, speeds).chunk(2, -1), -1).flatten(-2)


def cases(rng: np.random.Generator) -> list[Case]:
    def numbers(*shape, size=1.0):
        return torch.from_numpy(np.round(rng.normal(size=shape) * size, 2)).float()

    def speeds(pairs):
        drawn = np.sort(rng.uniform(0.1, 1.2, size=pairs))[::-1]
        return torch.from_numpy(np.round(drawn, 2)).float()

    def places(count):
        return torch.from_numpy(np.sort(rng.permutation(20)[:count]))

    def draw(front, T, S, D, size=1.0):
        query, key = numbers(*front, T, D, size=size), numbers(*front, S, D, size=size)
        return query, key, places(T), places(S), speeds(D // 2)

    query, key, asking, _, fast = draw((2,), 4, 4, 6)
    still = draw((2,), 3, 4, 6)[:4]
    return [
        Case("three ask five", *draw((2,), 3, 5, 8), core=True),
        Case("a sentence asks itself", query, key, asking, asking.clone(), fast),
        Case("a single pair of columns", *draw((3,), 4, 2, 2)),
        Case("no batch", *draw((), 3, 4, 6)),
        Case("a batch with heads", *draw((2, 3), 4, 5, 4)),
        Case("one asks one", *draw((1,), 1, 1, 4)),
        Case("pairs that stand still", *still, torch.zeros(3)),
        Case(
            "the same distances, further on",
            query.clone(),
            key.clone(),
            asking + 60,
            asking + 60,
            fast.clone(),
        ),
        LARGE_NUMBERS.case(*draw((2,), 3, 5, 8, size=1_000.0), compare=close(atol=50, rtol=1e-3)),
    ]


QUERIES = "turned(query, query_positions, speeds)"
KEYS = "turned(key, key_positions, speeds)"


def with_turns(queries: str, keys: str) -> AnyOf:
    """Scores whose two sides are turned in other ways; two spaces spell the right one anew."""
    (made,) = changed(rotary_scores, f"queries = {QUERIES}", f"queries  = {queries}")
    return changed(made, f"keys = {KEYS}", f"keys  = {keys}")


def with_both(change) -> AnyOf:
    """Both sides turned in another way, which `change` makes of the text of the right one."""
    return with_turns(change(QUERIES), change(KEYS))


def turn(at: str, *becomes: str) -> AnyOf:
    """Scores of queries and keys that a changed function turns."""

    def scores(one):
        return lambda query, key, query_positions, key_positions, speeds: (
            one(query, query_positions, speeds) @ one(key, key_positions, speeds).mT
        )

    return AnyOf(scores(one) for one in changed(turned, at, *becomes))


TURNED = "torch.cat([first * cos - second * sin, first * sin + second * cos], -1)"

rotary_task = Task(
    id="07-positions/rotary",
    title="Scores that know the distance",
    kind="build",
    points=2,
    minutes=20,
    answer="rotary_scores",
    cases=cases,
    reference=rotary_scores,
    misconceptions=(
        ANOTHER_LAYOUT.by(
            with_both(lambda side: side.replace("turned(", "turned_side_by_side(")),
        ),
        LAYOUTS_MIXED.by(
            with_turns(QUERIES.replace("turned(", "turned_side_by_side("), KEYS),
            with_turns(QUERIES, KEYS.replace("turned(", "turned_side_by_side(")),
            turn(
                "cos, sin = angles.cos(), angles.sin()\n    first, second = x.chunk(2, -1)",
                "angles = angles.repeat_interleave(2, -1)\n"
                "    first, second = x.chunk(2, -1)\n"
                "    return x * angles.cos() + torch.cat([-second, first], -1) * angles.sin()",
                "angles = torch.cat([angles, angles], -1)\n"
                "    partner = torch.stack([-x[..., 1::2], x[..., 0::2]], -1).flatten(-2)\n"
                "    return x * angles.cos() + partner * angles.sin()",
            ),
            turn(
                "first, second = x.chunk(2, -1)",
                "first, second = x[..., 0::2], x[..., 1::2].flip(-1)",
            ),
        ),
        TURNED_BACKWARDS.by(
            with_both(lambda side: side.replace("positions,", "positions.neg(),")),
        ),
        ONE_SIDE_TURNED.by(with_turns("query", KEYS), with_turns(QUERIES, "key")),
        NOT_TURNED.by(with_turns("query", "key")),
        TURNED_APART.by(
            with_turns(QUERIES, "turned(key, -key_positions, speeds)"),
            with_turns("turned(query, -query_positions, speeds)", KEYS),
        ),
        OTHER_POSITIONS.by(
            with_turns("turned(query, torch.arange(query.shape[-2]), speeds)", KEYS),
            with_turns(
                "turned(query, torch.arange(query.shape[-2]), speeds)",
                "turned(key, torch.arange(key.shape[-2]), speeds)",
            ),
            with_turns(QUERIES, "turned(key, torch.arange(key.shape[-2]), speeds)"),
            with_turns(QUERIES, "turned(key, query_positions, speeds)"),
            with_turns("turned(query, key_positions, speeds)", KEYS),
            with_turns(
                "turned(query, key_positions, speeds)", "turned(key, query_positions, speeds)"
            ),
        ),
        COUNTED_FROM_ONE.by(
            with_turns("turned(query, query_positions + 1, speeds)", KEYS),
            with_turns(QUERIES, "turned(key, key_positions + 1, speeds)"),
        ),
        ONE_SPEED_FOR_ALL.by(
            with_both(lambda side: side.replace("speeds", "speeds[:1]")),
            with_both(lambda side: side.replace("speeds", "torch.ones(1)")),
        ),
        SPEEDS_SWAPPED.by(with_both(lambda side: side.replace("speeds", "speeds.flip(0)"))),
        NOT_A_ROTATION.by(
            turn(
                TURNED,
                "torch.cat([first * cos + second * sin, first * sin + second * cos], -1)",
            ),
            turn(
                TURNED,
                "torch.cat([first * cos - second * sin, second * cos - first * sin], -1)",
            ),
            turn(TURNED, "torch.cat([first * cos, second * sin], -1)"),
            turn(TURNED, "torch.cat([first * cos, second * cos], -1)"),
            turn(
                TURNED,
                "torch.cat([first * sin - second * cos, first * sin + second * cos], -1)",
            ),
            turn(TURNED, "torch.cat([first * cos - second * sin, second], -1)"),
            turn(
                TURNED,
                "torch.cat([(a := first * cos - second * sin), a * sin + second * cos], -1)",
            ),
        ),
        Misconception(
            "positions-added",
            any_of(
                turn(TURNED, "x + torch.cat([sin, cos], -1)"),
                turn(TURNED, "x + torch.stack([sin, cos], -1).flatten(-2)"),
            ),
            "You add waves to queries and keys, or multiply by them, as one does with embeddings. "
            "What happens to a query here instead?",
        ),
        ROWS_AND_COLUMNS_SWAPPED.by(
            changed(rotary_scores, "queries @ keys.mT", "keys @ queries.mT"),
        ),
        ONE_SHAPE_ONLY.by(
            changed(rotary_scores, "queries @ keys.mT", "torch.bmm(queries, keys.mT)"),
            changed(
                rotary_scores, "queries @ keys.mT", "torch.einsum('btd,bsd->bts', queries, keys)"
            ),
            changed(rotary_scores, "queries @ keys.mT", "queries @ keys.transpose(1, 2)"),
            changed(rotary_scores, "queries @ keys.mT", "queries @ keys.T"),
        ),
        FURTHER_THAN_ASKED.by(
            changed(
                rotary_scores,
                "queries @ keys.mT",
                "queries @ keys.mT / query.shape[-1] ** 0.5",
                "(queries @ keys.mT).softmax(-1)",
                "(queries @ keys.mT / query.shape[-1] ** 0.5).softmax(-1)",
            ),
        ),
    ),
    compare=close(atol=1e-3, rtol=1e-3),
)
