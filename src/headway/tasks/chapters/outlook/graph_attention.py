"""Build: attention along the edges of a graph, by gathering and scattering."""

import math

import torch

from headway.tasks.chapters.outlook.graph_cases import graph_cases
from headway.tasks.chapters.outlook.mistakes import (
    DIRECTION_TURNED,
    EDGES_UNUSED,
    NOT_SHARED_OUT,
    NOTHING_RECEIVED,
    REPEATS_COUNTED,
    WAY_BACK_FORGOTTEN,
    WHOLE_OF_OTHERS,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import AnyOf, Misconception, any_of, changed
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
SCALE, SHARES = " / math.sqrt(query.shape[-1])", "powers / totals[:, target]"
BACK, RETURN = "edges = torch.cat([edges, edges.flip(0)], dim=1)", "(scores - largest[:, target])"
MESSAGES, LAST = "weights[..., None] * value[:, source]", "index_add(1, target, messages)"


def as_table(edges, receivers, senders, both_ways=False):
    """The adjacency (T, S) of an edge list, boolean."""
    table = torch.zeros(receivers, senders, dtype=torch.bool)
    table[edges[1], edges[0]] = True
    return table | table.T if both_ways else table


def over_table(share, turned=False):
    """A wrong answer by all pairs: share(scores (H, T, S), adjacency) → weights (H, T, S)."""

    def answer(query, key, value, edges, both_ways=False):
        table = as_table(edges.flip(0) if turned else edges, query.shape[1], key.shape[1])
        table = table | table.T if both_ways else table
        return share(query @ key.mT / math.sqrt(query.shape[-1]), table) @ value

    return answer


def hidden(scores, table):
    return scores.masked_fill(~table, -torch.inf)


def node_by_node(senders, unique=True):
    """A wrong answer in a loop: senders(pairs, t) → those that node t hears."""

    def answer(query, key, value, edges, both_ways=False):
        edges = torch.cat([edges, edges.flip(0)], dim=1) if both_ways else edges
        pairs = (edges.unique(dim=1) if unique else edges).T.tolist()
        mixed = torch.zeros(*query.shape[:2], value.shape[2])
        for t in range(query.shape[1]):
            heard = senders(pairs, t)
            if heard:
                scores = query[:, t, None] @ key[:, heard].mT / math.sqrt(query.shape[-1])
                mixed[:, t] = (scores.softmax(-1) @ value[:, heard])[:, 0]
        return mixed

    return answer


def _ends_of(pairs, t):
    return [end for source, end in pairs if source == t]


def _incoming_and_itself(pairs, t):
    return sorted({t} | {source for source, end in pairs if end == t})


def _incoming_or_itself(pairs, t):
    return [source for source, end in pairs if end == t] or [t]


def _sender_by_sender(query, key, value, edges, both_ways=False):
    """Each sender shares out a whole among those to whom it sends."""
    edges = torch.cat([edges, edges.flip(0)], dim=1) if both_ways else edges
    mixed = torch.zeros(*query.shape[:2], value.shape[2])
    for source in edges[0].unique():
        ends = edges[1, edges[0] == source].unique()
        scores = query[:, ends] @ key[:, source, :, None] / math.sqrt(query.shape[-1])
        mixed[:, ends] += scores.softmax(dim=1) * value[:, source, None]
    return mixed


def _unlisted_nan(query, key, value, edges, both_ways=False):
    """The softmax over nothing is no number."""
    return over_table(lambda scores, table: hidden(scores, table).softmax(-1))(
        query, key, value, edges, both_ways
    )


def _with_loops(query, key, value, edges, both_ways=False):
    """As if every node sent to itself."""
    ends = min(query.shape[1], key.shape[1])
    loops = torch.arange(ends).expand(2, -1)
    return graph_attention(query, key, value, torch.cat([edges, loops], dim=1), both_ways)


def _loops_for_the_lonely(query, key, value, edges, both_ways=False):
    """As if those that receive nothing sent to themselves."""
    heard = torch.zeros(query.shape[1], dtype=torch.bool)
    heard[edges.flatten() if both_ways else edges[1]] = True
    lonely = (~heard).nonzero()[:, 0]
    lonely = lonely[lonely < key.shape[1]]
    return graph_attention(
        query, key, value, torch.cat([edges, lonely.expand(2, -1)], dim=1), both_ways
    )


def _mean_for_the_lonely(query, key, value, edges, both_ways=False):
    """As if those that receive nothing looked everywhere, alike."""
    return over_table(lambda s, table: s.masked_fill(~table, -1e9).softmax(-1))(
        query, key, value, edges, both_ways
    )


def _right_by_table(scores, table):
    return hidden(scores, table).softmax(-1).nan_to_num(0.0)


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
        WHOLE_OF_OTHERS.by(
            _sender_by_sender,
            over_table(lambda s, table: hidden(s, table).softmax(-2).nan_to_num(0.0)),
            other(SHARES, "(scores - scores.max()).exp().softmax(-1)", "scores.softmax(dim=-1)"),
            over_table(lambda s, table: hidden(s, table).flatten(1).softmax(1).view_as(s)),
            other(SHARES, "scores.softmax(dim=0)", "powers / totals[:, target].sum(0)"),
        ),
        NOT_SHARED_OUT.by(
            other(SHARES, "powers", "scores", "scores.exp()", "scores.sigmoid()"),
            other(SHARES, "torch.ones_like(powers)"),
            over_table(lambda s, table: s.softmax(-1) * table),
        ),
        Misconception(
            "all-senders-alike",
            any_of(
                other(SHARES, "torch.ones_like(scores) / target.bincount(minlength=n)[target]"),
                other(SCALE, " * 0"),
            ),
            "Everybody who sends to a node counts alike, as in a mean. What do its query and "
            "their keys say?",
        ),
        Misconception(
            "zeroed-before-softmax",
            any_of(
                over_table(lambda s, table: (s * table).softmax(-1)),
                over_table(lambda s, table: (s * table).softmax(-1) * table),
            ),
            "You multiply scores by the adjacency, so those of strangers are 0 when the softmax "
            "comes. How large is e to the power of 0?",
        ),
        EDGES_UNUSED.by(
            over_table(lambda s, table: s.softmax(-1)),
            over_table(lambda s, table: hidden(s, ~table).softmax(-1).nan_to_num(0.0)),
        ),
        DIRECTION_TURNED.by(
            other(SOURCES, "target, source = edges.unique(dim=1)"),
            over_table(_right_by_table, turned=True),
            node_by_node(_ends_of),
            other(PAIRS, "query[:, source] * key[:, target]", "query[:, target] * key[:, target]"),
            other(MESSAGES, "weights[..., None] * value[:, target]"),
            other(LAST, "index_add(1, source, messages)"),
        ),
        REPEATS_COUNTED.by(
            other(SOURCES, "source, target = edges"),
            changed(
                *other(SOURCES, "source, target = edges"),
                "    if both_ways:",
                "    edges = edges.unique(dim=1)\n    if both_ways:",
            ),
            changed(*other(SOURCES, "source, target = edges"), RETURN, "scores"),
        ),
        WAY_BACK_FORGOTTEN.by(
            other("if both_ways:", "if False:"),
            other(BACK, "edges = edges.flip(0)"),
            other("if both_ways:", "if True:"),
        ),
        NOTHING_RECEIVED.by(
            _unlisted_nan,
            _with_loops,
            _loops_for_the_lonely,
            _mean_for_the_lonely,
            node_by_node(_incoming_and_itself),
            node_by_node(_incoming_or_itself),
        ),
        Misconception(
            "strangers-read",
            any_of(
                over_table(_right_by_table),
                over_table(lambda s, t: torch.where(t, s, -torch.inf).softmax(-1).nan_to_num(0)),
            ),
            "You read nodes that send nothing: they get a weight of 0, but 0 times no number is "
            "no number. Which pairs does an edge list have you visit?",
        ),
        Misconception(
            "scale-missing-or-other",
            other(
                SCALE,
                "",
                " / query.shape[-1]",
                " / math.sqrt(value.shape[-1])",
                " / math.sqrt(len(query))",
                " * math.sqrt(query.shape[-1])",
            ),
            "Your weights are too sharp or too even: the scores are divided by another number, or "
            "by none. What do dot products grow with?",
        ),
        Misconception(
            "receivers-miscounted",
            other(
                "n = query.shape[1]",
                "n = max(query.shape[1], key.shape[1])",
                "n = int(target.max()) + 1",
                "n = key.shape[1]",
            ),
            "This is right where as many nodes receive as send, and each of them something. How "
            "many rows has the result?",
        ),
        Misconception(
            "unsafe-softmax",
            other(RETURN, "scores", "(scores - scores.max())"),
            "With large scores your powers are infinite, or all those of a node become 0. Which "
            "number may you subtract from all scores of a node without changing their softmax?",
        ),
    ),
    compare=close(atol=1e-5, rtol=1e-4),
)
