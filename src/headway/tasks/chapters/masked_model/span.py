"""Stretch: the best span of an answer, among those that may be one, and how likely it is."""

import math

import numpy as np
import torch

from headway.tasks.engine.compare import close
from headway.tasks.engine.draw import draw_telling
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def best_spans(start, end, passage, longest):
    """The likeliest of all spans that may be the answer, and its probability.

    One row of scores for each length: the span of places i … i + n has start[i] + end[i + n].
    """
    B, T = start.shape
    scores = torch.full((B, longest, T), -torch.inf)
    for n in range(min(longest, T)):
        may = passage[:, : T - n] & passage[:, n:]
        scores[:, n, : T - n] = torch.where(may, start[:, : T - n] + end[:, n:], -torch.inf)
    scores[:, 0, 0] = start[:, 0] + end[:, 0]  # no answer
    probability = scores.flatten(1).softmax(dim=-1)
    most, place = probability.max(dim=-1)
    first = place % T
    last = first + place // T
    return torch.stack([first, last], dim=1), most


def cases(rng: np.random.Generator) -> list[Case]:
    def draw(label, B, T, longest, question=3, loud=1.5, answered=True, **options):
        """Scores that rise where a span of its own is, too long or backwards now and then."""
        start, end = (torch.from_numpy(rng.normal(size=(B, T))).float() for _ in range(2))
        start, end = loud * start, loud * end
        passage = torch.zeros(B, T, dtype=torch.bool)
        for row in range(B):
            stop = int(rng.integers(question + 1, T + 1)) if question + 1 < T else T
            passage[row, question:stop] = True
        start[:, 0] += -8.0 if answered is True else 0.0
        if answered is None:
            start[:, 0] += 12.0
        return Case(label, start, end, passage, longest, **options)

    traps = draw("questions of many kinds", 40, 14, 4, core=True)
    nothing = draw("a passage of no words", 2, 5, 3, question=2)
    nothing.inputs[2][:] = False
    return [
        traps,
        draw("scores that say little", 20, 9, 3, loud=0.3),
        draw(
            "questions that the passage does not answer", 6, 10, 3, answered=None, path="no answer"
        ),
        draw(
            "questions that it may or may not answer", 30, 10, 3, answered=False, path="no answer"
        ),
        draw("answers of one token", 12, 8, 1, path="the greatest length"),
        draw("a greatest length beyond the text", 12, 6, 50, path="the greatest length"),
        nothing,
        draw("a single token", 2, 1, 3, question=1),
        draw("as many texts as tokens", 8, 8, 3, question=2),
        draw_telling(
            span_task,
            lambda: draw("scores that are sure", 12, 9, 4, loud=30.0),
            "always-an-answer",
        ),
    ]


def by_pairs(start, end, allowed, null=True):
    """Spans and probabilities by all pairs of places, in double precision.

    Args:
        allowed: (row, i, j) → whether i … j may be an answer.
        null: whether there may be no answer.
    """
    B, T = start.shape
    first, last = start.double().numpy(), end.double().numpy()
    spans, probabilities = [], []
    for row in range(B):
        found = [((0, 0), first[row, 0] + last[row, 0])] if null else []
        found += [
            ((i, j), first[row, i] + last[row, j])
            for i in range(T)
            for j in range(T)
            if allowed(row, i, j)
        ]
        if not found:
            spans.append((0, 0))
            probabilities.append(1.0)
            continue
        best, most = max(found, key=lambda one: one[1])
        sums = math.fsum(math.exp(max(value - most, -700)) for _, value in found)
        spans.append(best)
        probabilities.append(1 / sums)
    return torch.tensor(spans), torch.tensor(probabilities).float()


def among(rule):
    """A wrong answer: the best of those pairs for which rule(passage row, i, j, longest) holds."""

    def answer(start, end, passage, longest):
        rows = passage.tolist()
        return by_pairs(start, end, lambda row, i, j: rule(rows[row], i, j, longest))

    return answer


def _inside(row, i, j):
    return row[i] and row[j]


def _with(**options):
    """A wrong answer: the right pairs, put to use in another way."""

    def answer(start, end, passage, longest):
        rows = passage.tolist()

        def allowed(row, i, j):
            return _inside(rows[row], i, j) and i <= j < i + longest

        return by_pairs(start, end, allowed, **options)

    return answer


def _apart(start, end, passage, longest):
    """The best start and the best end, each by itself, and the product of their probabilities."""
    hide = ~passage
    hide[:, 0] = False
    p, q = (part.masked_fill(hide, -torch.inf).softmax(-1) for part in (start, end))
    most = p.amax(1) * q.amax(1)
    return torch.stack([p.argmax(1), q.argmax(1)], dim=1), most


def _greedy(start, end, passage, longest, forwards=True):
    """The best start first, then the best end for it; or the other way."""
    spans, right = [], best_spans(start, end, passage, longest)[1]
    for row in range(len(start)):
        places = [0, *passage[row].nonzero()[:, 0].tolist()]
        lead, follow = (start, end) if forwards else (end, start)
        one = max(places, key=lambda place: float(lead[row, place]))
        may = [
            place
            for place in places
            if (0 <= (place - one if forwards else one - place) < longest)
            and (place == 0) == (one == 0)
        ]
        other = max(may, key=lambda place: float(follow[row, place]))
        spans.append((one, other) if forwards else (other, one))
    return torch.tensor(spans), right


def _product(start, end, passage, longest):
    """The right span, and the product of two probabilities that know nothing of each other."""
    spans, _ = best_spans(start, end, passage, longest)
    hide = ~passage
    hide[:, 0] = False
    p, q = (part.masked_fill(hide, -torch.inf).softmax(-1) for part in (start, end))
    return spans, p.gather(1, spans[:, :1])[:, 0] * q.gather(1, spans[:, 1:])[:, 0]


def _product_of_all(start, end, passage, longest):
    spans, _ = best_spans(start, end, passage, longest)
    p, q = start.softmax(-1), end.softmax(-1)
    return spans, p.gather(1, spans[:, :1])[:, 0] * q.gather(1, spans[:, 1:])[:, 0]


def _without_null_in_the_sum(start, end, passage, longest):
    """The sum over the answers, without that of no answer."""
    spans, _ = best_spans(start, end, passage, longest)
    low = start.clone()
    low[:, 0] = -torch.inf
    _, share = best_spans(low, end, passage, longest)
    null = (spans == 0).all(1)
    return spans, torch.where(null, 1.0, share.nan_to_num(1.0))


def _score(start, end, passage, longest):
    spans, _ = best_spans(start, end, passage, longest)
    return spans, start.gather(1, spans[:, :1])[:, 0] + end.gather(1, spans[:, 1:])[:, 0]


def _shifted(by):
    def answer(start, end, passage, longest):
        spans, most = best_spans(start, end, passage, longest)
        return spans + torch.tensor(by), most

    return answer


span_task = Task(
    id="12-masked-model/span",
    title="The best span of an answer",
    kind="stretch",
    points=4,
    minutes=35,
    answer="best_spans",
    cases=cases,
    reference=best_spans,
    misconceptions=(
        Misconception(
            "start-and-end-apart",
            any_of(
                _apart,
                lambda *given: (_apart(*given)[0], best_spans(*given)[1]),
                _greedy,
                lambda *given: _greedy(*given, forwards=False),
            ),
            "You choose the start and the end one by one. Can a pair win of which neither is the "
            "best by itself?",
        ),
        Misconception(
            "end-before-start",
            any_of(
                among(lambda row, i, j, longest: _inside(row, i, j) and abs(j - i) < longest),
                among(lambda row, i, j, longest: _inside(row, i, j) and j - i < longest),
                among(lambda row, i, j, longest: _inside(row, i, j)),
            ),
            "Some of your spans end before they begin, or would count if they were good enough. "
            "Which pairs of two places are spans?",
        ),
        Misconception(
            "another-greatest-length",
            any_of(
                among(lambda row, i, j, longest: _inside(row, i, j) and i <= j),
                among(lambda row, i, j, longest: _inside(row, i, j) and i < j < i + longest),
                among(lambda row, i, j, longest: _inside(row, i, j) and i <= j <= i + longest),
                among(lambda row, i, j, longest: _inside(row, i, j) and i <= j < i + longest - 1),
                among(lambda row, i, j, longest: _inside(row, i, j) and i < j <= i + longest),
            ),
            "Your spans have another greatest or least length than asked. How many tokens has the "
            "span from place 3 to place 5, and from 3 to 3?",
        ),
        Misconception(
            "answers-outside-the-passage",
            any_of(
                among(lambda row, i, j, longest: i <= j < i + longest),
                among(lambda row, i, j, longest: 0 < i <= j < i + longest),
                among(lambda row, i, j, longest: row[i] and i <= j < i + longest),
                among(lambda row, i, j, longest: row[j] and i <= j < i + longest),
            ),
            "Some of your spans lie outside the passage, at least with one end, or count in the "
            "sum. Where may an answer be?",
        ),
        Misconception(
            "always-an-answer",
            any_of(
                _with(null=False),
                lambda *given: (_with(null=False)(*given)[0], best_spans(*given)[1]),
            ),
            "You always find an answer in the passage. What says that there is none, and what "
            "does it compete with?",
        ),
        Misconception(
            "probabilities-multiplied",
            any_of(_product, _product_of_all),
            "Your probability is the product of that of a start and that of an end. What do the "
            "probabilities of all spans that may be the answer add up to?",
        ),
        Misconception(
            "no-answer-not-in-the-sum",
            _without_null_in_the_sum,
            "The probabilities of your answers add up to one by themselves. What is left for the "
            "case that there is no answer?",
        ),
        Misconception(
            "score-for-probability",
            any_of(_score, lambda *given: (_score(*given)[0], _score(*given)[1].exp())),
            "The spans are right, and what you give with them is their score. What makes "
            "probabilities of the scores of all spans?",
        ),
        Misconception(
            "end-misstated",
            any_of(
                _shifted([0, 1]),
                lambda *given: _as_lengths(*given, 0),
                lambda *given: _as_lengths(*given, 1),
            ),
            "Your spans are found, and the second number is the place behind their last token, or "
            "their length. What does the text ask for?",
        ),
        Misconception(
            "place-misread",
            any_of(
                changed(best_spans, "place % T", "place // T", "place % longest"),
                changed(best_spans, "place // T", "place // longest"),
            ),
            "The best pair is found, and then read wrongly from its number in a flattened table. "
            "How many columns has a row, and what does the remainder tell?",
        ),
    ),
    compare=close(atol=1e-4, rtol=1e-4),
)


def _as_lengths(start, end, passage, longest, more):
    spans, most = best_spans(start, end, passage, longest)
    return torch.stack([spans[:, 0], spans[:, 1] - spans[:, 0] + more], dim=1), most
