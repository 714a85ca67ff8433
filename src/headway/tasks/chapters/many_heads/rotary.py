"""Build: scores of queries and keys that are turned by their positions."""

import numpy as np
import torch

from headway.tasks.chapters.many_heads.mistakes import AXES_MIXED_UP, FURTHER_THAN_ASKED
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import AnyOf, Misconception, any_of, changed
from headway.tasks.engine.requirements import LARGE_NUMBERS
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


def turned_by_a_base(x, positions, speeds):
    """Neighbors, at the speeds that language models have."""
    own = 10_000.0 ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    return turned_side_by_side(x, positions, own)


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


def scores_of(queries=turned, keys=turned):
    """Scores of queries and keys that are turned in other ways."""
    return lambda query, key, query_positions, key_positions, speeds: (
        queries(query, query_positions, speeds) @ keys(key, key_positions, speeds).mT
    )


def both(*turns) -> AnyOf:
    """Scores for each way of turning queries and keys alike."""
    return AnyOf(scores_of(turn, turn) for turn in turns)


def turned_back(x, positions, speeds):
    return turned(x, -positions, speeds)


def turned_from_zero(x, positions, speeds):
    return turned(x, torch.arange(len(positions)), speeds)


def turned_from_one(x, positions, speeds):
    return turned(x, positions + 1, speeds)


def unturned(x, positions, speeds):
    return x


TURNED = "torch.cat([first * cos - second * sin, first * sin + second * cos], -1)"

rotary = Task(
    id="09-many-heads/rotary",
    title="Scores that know the distance",
    kind="build",
    points=2,
    minutes=15,
    answer="rotary_scores",
    cases=cases,
    reference=rotary_scores,
    misconceptions=(
        Misconception(
            "another-layout",
            any_of(
                both(turned_side_by_side),
                scores_of(queries=turned_side_by_side),
                scores_of(keys=turned_side_by_side),
                both(
                    *changed(
                        turned,
                        "cos, sin = angles.cos(), angles.sin()\n    first, second = x.chunk(2, -1)",
                        "angles = angles.repeat_interleave(2, -1)\n"
                        "    first, second = x.chunk(2, -1)\n"
                        "    partner = torch.cat([-second, first], -1)\n"
                        "    return x * angles.cos() + partner * angles.sin()",
                        "angles = torch.cat([angles, angles], -1)\n"
                        "    partner = torch.stack([-x[..., 1::2], x[..., 0::2]], -1).flatten(-2)\n"
                        "    return x * angles.cos() + partner * angles.sin()",
                    ),
                    *changed(turned, "x.chunk(2, -1)", "x[..., 0::2], x[..., 1::2].flip(-1)"),
                ),
            ),
            "In one step at least, you pair other columns than the text does. Which column is the "
            "partner of column 0 here, and which numbers turn by the same angle?",
        ),
        Misconception(
            "turned-backwards",
            any_of(
                both(turned_back),
                scores_of(queries=turned_back),
                scores_of(keys=turned_back),
            ),
            "Your queries, your keys or both turn the wrong way. In the text's example, where does "
            "the query end at position 3, and where does yours?",
        ),
        Misconception(
            "not-turned",
            any_of(both(unturned), scores_of(queries=unturned), scores_of(keys=unturned)),
            "Your queries, your keys or both stay as they were. If only one of two words moves on, "
            "what should happen to their score?",
        ),
        Misconception(
            "other-positions",
            any_of(
                scores_of(queries=turned_from_zero),
                scores_of(keys=turned_from_zero),
                both(turned_from_zero),
                changed(rotary_scores, "turned(key, key", "turned(key, query"),
                changed(rotary_scores, "turned(query, query", "turned(query, key"),
                scores_of(queries=turned_from_one),
                scores_of(keys=turned_from_one),
            ),
            "Your queries or keys aren't at the positions that were given: they are counted anew, "
            "or one side is at the positions of the other. Whose positions are whose?",
        ),
        Misconception(
            "other-speeds",
            both(
                *changed(turned, "* speeds", "* speeds[:1]", "* torch.ones(1)", "* speeds.flip(0)"),
                turned_by_a_base,
            ),
            "Your pairs turn at other speeds than those given: all at one, or each at that of "
            "another pair. Which speed belongs to columns 0 and D/2?",
        ),
        Misconception(
            "not-a-rotation",
            any_of(
                both(
                    *changed(
                        turned,
                        TURNED,
                        "torch.cat([first * cos + second * sin, first * sin + second * cos], -1)",
                        "torch.cat([first * cos - second * sin, second * cos - first * sin], -1)",
                        "torch.cat([first * sin - second * cos, first * sin + second * cos], -1)",
                        "torch.cat([first * cos, second * sin], -1)",
                        "torch.cat([first * cos, second * cos], -1)",
                        "torch.cat([first * cos - second * sin, second], -1)",
                        "torch.cat([a := first * cos - second * sin, a * sin + second * cos], -1)",
                        # Waves are added, as to embeddings.
                        "x + torch.cat([sin, cos], -1)",
                        "x + torch.stack([sin, cos], -1).flatten(-2)",
                    )
                ),
            ),
            "What you do to a pair isn't a turn. How long is the pair (3, 4) before and after, and "
            "which numbers does each line of yours use?",
        ),
        AXES_MIXED_UP.by(
            changed(rotary_scores, "queries @ keys.mT", "keys @ queries.mT"),
        ),
        Misconception(
            "one-shape-only",
            changed(
                rotary_scores,
                "queries @ keys.mT",
                "torch.bmm(queries, keys.mT)",
                "torch.einsum('btd,bsd->bts', queries, keys)",
                "queries @ keys.transpose(1, 2)",
                "queries @ keys.T",
            ),
            "This is right for one number of axes. With more or fewer of them in front it raises: "
            "how do you name the last two axes, however many there are?",
        ),
        FURTHER_THAN_ASKED.by(
            changed(
                rotary_scores,
                "queries @ keys.mT",
                "queries @ keys.mT / query.shape[-1] ** 0.5",
                "(queries @ keys.mT).softmax(-1)",
                "(queries @ keys.mT / query.shape[-1] ** 0.5).softmax(-1)",
            )
        ),
    ),
    compare=close(atol=1e-3, rtol=1e-3),
)
