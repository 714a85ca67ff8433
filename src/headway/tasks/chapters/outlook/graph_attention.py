"""Build: attention along the edges of a graph, by gathering and scattering."""

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
import torch

from headway.tasks.chapters.outlook.graph_cases import graph_cases
from headway.tasks.chapters.outlook.mistakes import (
    DIRECTION_TURNED,
    EDGES_UNUSED,
    NOT_SHARED_OUT,
    NOTHING_RECEIVED,
    ONLY_ONE,
    REPEATS_COUNTED,
    WAY_BACK_FORGOTTEN,
    WHOLE_OF_OTHERS,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import AnyOf, Misconception, any_of, changed, seen
from headway.tasks.engine.task import Task


def graph_attention(query, key, value, edges, both_ways=False):
    """Each node mixes the values of those that send to it, weighted by softmax(q · k / √D)."""
    if both_ways:
        edges = torch.cat([edges, edges.flip(0)], dim=1)
    source, target = edges.unique(dim=1)
    n = query.shape[1]
    pairs = query[:, target] * key[:, source]
    scores = pairs.sum(dim=-1) / math.sqrt(query.shape[-1])
    largest = scores.new_full((len(query), n), -torch.inf)
    largest = largest.scatter_reduce(1, target.expand_as(scores), scores, "amax")
    powers = (scores - largest[:, target]).exp()
    totals = powers.new_zeros(len(query), n).index_add(1, target, powers)
    weights = powers / totals[:, target]
    messages = weights[..., None] * value[:, source]
    return messages.new_zeros(len(query), n, value.shape[-1]).index_add(1, target, messages)


SOURCES, TOTALS = "source, target = edges.unique(dim=1)", "index_add(1, target, powers)"
PAIRS = "query[:, target] * key[:, source]"
SHARES = "powers / totals[:, target]"
BACK, RETURN = "edges = torch.cat([edges, edges.flip(0)], dim=1)", "(scores - largest[:, target])"
NEAR = 1e-3  # of weights that are found by least squares, up to which two are taken for the same
MESSAGES, LAST = "weights[..., None] * value[:, source]", "index_add(1, target, messages)"


def as_table(edges, receivers, senders, both_ways=False):
    """The adjacency (T, S) of an edge list, boolean."""
    table = torch.zeros(receivers, senders, dtype=torch.bool)
    table[edges[1], edges[0]] = True
    return table | table.T if both_ways else table


def over_table(*shares) -> AnyOf:
    """Wrong answers by all pairs: share(scores (H, T, S), adjacency) → weights (H, T, S)."""

    def answer(share, query, key, value, edges, both_ways=False):
        table = as_table(edges, query.shape[1], key.shape[1], both_ways)
        return share(query @ key.mT / math.sqrt(query.shape[-1]), table) @ value

    return any_of(*(partial(answer, share) for share in shares))


def hidden(scores, table):
    return scores.masked_fill(~table, -torch.inf)


def _sender_by_sender(query, key, value, edges, both_ways=False):
    """Each sender shares out a whole among those to whom it sends."""
    edges = torch.cat([edges, edges.flip(0)], dim=1) if both_ways else edges
    mixed = torch.zeros(*query.shape[:2], value.shape[2])
    for source in edges[0].unique():
        ends = edges[1, edges[0] == source].unique()
        scores = query[:, ends] @ key[:, source, :, None] / math.sqrt(query.shape[-1])
        mixed[:, ends] += scores.softmax(dim=1) * value[:, source, None]
    return mixed


def _right_by_table(scores, table):
    return hidden(scores, table).softmax(-1).nan_to_num(0.0)


class Heard(NamedTuple):
    """What a result says of one node in one head.

    Attributes:
        scores: (S,), the scores of those that send to it.
        weights: (S,), with which their values make what the node gets.
        rest: how much of that is no mixture of their values.
    """

    scores: np.ndarray
    weights: np.ndarray
    rest: float

    @property
    def shares(self) -> np.ndarray:
        """The weights, divided by what the softmax asks for."""
        return self.weights / np.exp(self.scores) * np.exp(self.scores).sum()


def heard(got, expected, case, also=None) -> list[Heard]:
    """What is heard by the nodes that get something wrong and hear few, so that weights show.

    Args:
        also: adjacency → that of the senders instead, if those of the list are not meant.
    """
    query, key, value, edges, both_ways = (*case.inputs, False)[:5]
    table = as_table(edges, query.shape[1], key.shape[1], both_ways)
    table = also(table) if also else table
    query, key, value = (x.double().numpy() for x in (query, key, value))
    found = []
    for head, t in np.argwhere(~np.isclose(got, expected, atol=1e-5, rtol=1e-4).all(axis=2)):
        senders = np.flatnonzero(table[t])
        values = value[head, senders]
        few = len(senders) < value.shape[2]
        if few and np.isfinite(values).all() and np.isfinite(got[head, t]).all():
            weights = got[head, t] @ np.linalg.pinv(values)
            scores = key[head, senders] @ query[head, t] / math.sqrt(query.shape[2])
            rest = abs(weights @ values - got[head, t]).max()
            found.append(Heard(scores, weights, rest))
    return found


def mixtures(*given, also=None) -> bool:
    """Whether the wrong nodes get mixtures of what they are sent, or of what others are."""
    return max(it.rest for it in heard(*given, also)) < NEAR


def shown(tell: Callable[[list[Heard]], bool]):
    """A predicate of the weights, where wrong nodes get mixtures of what they are sent."""
    return lambda *given: mixtures(*given) and bool(tell(heard(*given)))


def _lonely_only(got, expected, case) -> bool:
    """Whether those that receive something get what they should."""
    receives = ~(expected == 0).all(axis=(0, 2))
    return np.allclose(got[:, receives], expected[:, receives], atol=NEAR)


def _strangers_read(got, expected, case) -> bool:
    """Whether nodes that receive something get NaN, or 0 for it, where strangers hold NaN."""
    wrong = ~np.isclose(got, expected, atol=1e-5, rtol=1e-4, equal_nan=True)
    wrong &= ~(expected == 0).all(axis=(0, 2))[:, None]
    return bool(
        case.inputs[1].isnan().any() and wrong.any() and (np.nan_to_num(got)[wrong] == 0).all()
    )


def _sums(found: list[Heard]) -> np.ndarray:
    return np.array([it.weights.sum() for it in found])


def _some_twice(found: list[Heard]) -> bool:
    """Whether some senders count a whole number of times more than others."""
    times = np.concatenate([it.shares / it.shares.min() for it in found])
    return times.max() > 1.5 and abs(times - times.round()).max() < 0.01


def _scaled(found: list[Heard]) -> bool:
    """Whether the weights are a softmax of a multiple of the scores."""
    mine, right = (
        np.concatenate([each - each.mean() for each in some])
        for some in ([np.log(it.weights) for it in found], [it.scores for it in found])
    )
    return abs(mine @ right / (right @ right) * right - mine).max() < 0.01


def _left_out(found: list[Heard]) -> bool:
    """Whether some senders with a say have no weight in each wrong node."""
    return all((abs(it.shares) < NEAR).any() for it in found)


def other(at: str, *becomes: str) -> AnyOf:
    return changed(graph_attention, at, *becomes)


graph_attention_task = Task(
    id="16-outlook/graph-attention",
    title="Attention along the edges",
    kind="build",
    points=3,
    minutes=25,
    answer="graph_attention",
    cases=graph_cases,
    reference=graph_attention,
    misconceptions=(
        NOTHING_RECEIVED.by(
            over_table(lambda s, table: hidden(s, table).softmax(-1)),
            over_table(lambda s, table: s.masked_fill(~table, -1e9).softmax(-1)),
            only_at=("nodes that receive nothing", "no edge"),
            shows=_lonely_only,
        ),
        Misconception(
            "strangers-read",
            over_table(_right_by_table),
            "You read nodes that send nothing: they get a weight of 0, but 0 times no number is "
            "no number. Which pairs does an edge list have you visit?",
            shows=_strangers_read,
        ),
        Misconception(
            "receivers-miscounted",
            other("n = query.shape[1]", "n = max(query.shape[1], key.shape[1])"),
            "This goes wrong where more nodes send than receive, or fewer. Which of your sizes "
            "counts those that receive, and which those that send?",
            only_at=("fewer receivers than senders", "more receivers than senders"),
        ),
        ONLY_ONE.by(only_at=("one node that sees itself", "a single head")),
        REPEATS_COUNTED.by(
            other(SOURCES, "source, target = edges"),
            shows=shown(_some_twice),
        ),
        Misconception(
            "zeroed-before-softmax",
            over_table(
                lambda s, table: (s * table).softmax(-1), lambda s, t: (s * t).softmax(-1) * t
            ),
            "You multiply scores by the adjacency, so those of strangers are 0 when the softmax "
            "comes. How large is e to the power of 0?",
        ),
        EDGES_UNUSED.by(
            over_table(
                lambda s, table: s.softmax(-1),
                lambda s, table: hidden(s, ~table).softmax(-1).nan_to_num(0.0),
            ),
        ),
        Misconception(
            "all-senders-alike",
            other(SHARES, "torch.ones_like(scores) / target.bincount(minlength=n)[target]"),
            "Everybody who sends to a node counts alike, as in a mean. What do its query and "
            "their keys say?",
            shows=shown(
                lambda found: (
                    abs(_sums(found) - 1).max() < NEAR
                    and max(np.ptp(it.weights) for it in found) < NEAR
                )
            ),
        ),
        WHOLE_OF_OTHERS.by(
            _sender_by_sender,
            other(SHARES, "scores.softmax(dim=-1)", "scores.softmax(dim=0)"),
        ),
        Misconception(
            "unsafe-softmax",
            other(RETURN, "scores"),
            "With large scores your powers are infinite, or all those of a node become 0. Which "
            "number may you subtract from all scores of a node without changing their softmax?",
        ),
        seen(
            "senders-left-out",
            "Some of those that send to a node count for nothing. Which edges do you leave out, "
            "and what happens where two edges end in the same node?",
            shown(_left_out),
        ),
        NOT_SHARED_OUT.by(
            over_table(lambda s, table: s.softmax(-1) * table),
            shows=shown(lambda found: abs(_sums(found) - 1).max() > NEAR),
        ),
        Misconception(
            "scale-missing-or-other",
            other(" / math.sqrt(query.shape[-1])", ""),
            "Your weights are too sharp or too even: the scores are divided by another number, or "
            "by none. What do dot products grow with?",
            shows=shown(_scaled),
        ),
        seen(
            "no-softmax-of-the-scores",
            "Each node mixes the right values with weights that add up to one, but they are not "
            "the softmax of its scores. Whose query meets whose key, and what comes between score "
            "and weight?",
            shown(lambda found: abs(_sums(found) - 1).max() < NEAR),
        ),
        DIRECTION_TURNED.by(
            other(PAIRS, "query[:, source] * key[:, target]", "query[:, target] * key[:, target]"),
            other(MESSAGES, "weights[..., None] * value[:, target]"),
            other(LAST, "index_add(1, source, messages)"),
            shows=partial(mixtures, also=lambda table: table.T),
        ),
        WAY_BACK_FORGOTTEN.by(
            other("if both_ways:", "if False:", "if True:"),
            other(BACK, "edges = edges.flip(0)"),
            shows=partial(mixtures, also=lambda table: table | table.T),
        ),
        seen(
            "hears-itself",
            "A node hears itself, whether the list says so or not. Who sends to it?",
            lambda *given: (
                not mixtures(*given)
                and mixtures(*given, also=lambda table: table | torch.eye(len(table)).bool())
            ),
        ),
        seen(
            "others-mixed-in",
            "What some nodes get is no mixture of the values of those that send to them. Whose "
            "values come in, and of which head?",
            lambda *given: not mixtures(*given),
        ),
    ),
    compare=close(atol=1e-5, rtol=1e-4),
)
