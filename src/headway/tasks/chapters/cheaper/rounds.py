"""Build: one round of speculative decoding, for several texts."""

import numpy as np
import torch

from headway.tasks.chapters.cheaper.draw import draw_shares
from headway.tasks.chapters.cheaper.mistakes import (
    KEPT_BY_ANOTHER_RULE,
    MODELS_OWN_WORD,
    REDRAWN_FROM_ANOTHER_REST,
    WORDS_BEHIND_A_REJECTION,
)
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception, any_of, changed, seen
from headway.tasks.engine.probe.calls import call_each
from headway.tasks.engine.task import Case, Task

CLEAR = 2e-3  # how far a number must be from where what it decides changes


def check_drafts(p, q, drafts, chances, redraws, end):
    """The words that each of B texts goes on with, as B lists."""
    texts = []
    for b, draft in enumerate(drafts.tolist()):
        words, left = [], None
        for i, word in enumerate(draft):
            if chances[b, i] * q[b, i, word] >= p[b, i, word]:
                left = (p[b, i] - q[b, i]).clamp(min=0)
                break
            words.append(word)
            if word == end:
                break
        else:
            left = p[b, len(draft)]
        texts.append(words if left is None else [*words, draw(left, redraws[b])])
    return texts


def draw(weights, number):
    """The first word whose sum of shares is larger than the number."""
    return int((weights.cumsum(0) / weights.sum() <= number).sum())


def rounds_cases(rng: np.random.Generator) -> list[Case]:
    def one(k, V, near, certain=False, greedy=False, excluded=False):
        """A round of one text: p, q, draft, chances, redraw, all clear of where they change.

        `near`: how much of the model is in the draft, from 0 to 1.
        """
        while True:
            p, other = draw_shares(rng, k + 1, V), draw_shares(rng, k, V)
            q = near * p[:k] + (1 - near) * other
            if excluded:
                p[p < np.median(p, axis=1, keepdims=True)] = 0
                p /= p.sum(1, keepdims=True)
            if certain or greedy:
                q = np.eye(V)[q.argmax(1)]
            if greedy:
                p = np.eye(V)[p.argmax(1)]
            draft = np.array([rng.choice(V, p=row) for row in q], dtype=int)
            chances, redraw = rng.random(k).round(3), round(rng.random(), 3)
            at = np.arange(k), draft
            edges = [p.cumsum(1)]
            rest = np.maximum(p[:k] - q, 0)
            some = rest.sum(1) > 1e-6
            edges.append((rest[some] / rest[some].sum(1, keepdims=True)).cumsum(1))
            clear = abs(chances - p[at] / q[at]).min(initial=1) > CLEAR
            if clear and abs(np.concatenate(edges) - redraw).min() > CLEAR:
                return p, q, draft, chances, redraw

    def draw_rounds(B, k, V, near=0.5, end=None, **options):
        return *stacked([one(k, V, near, **options) for _ in range(B)]), end

    def with_end(B, k, V, near):
        """Several drafts say the end at a place that is judged; some are kept, some rejected."""
        while True:
            *rounds, _ = draw_rounds(B, k, V, near)
            end = int(np.bincount(rounds[2].flatten(), minlength=V).argmax())
            texts = check_drafts(*rounds, end)
            pairs = list(zip(rounds[2].tolist(), texts, strict=True))
            kept = sum(words == draft[: len(words)] for draft, words in pairs)
            judged = sum(draft[len(words) - 1 : len(words)] == [end] for draft, words in pairs)
            if 1 < kept < judged - 1:
                return *rounds, end

    def alone(count, k, V):
        return [[*draw_rounds(1, k, V)] for _ in range(count)]

    return [
        Case("several texts", *draw_rounds(20, 3, 5), core=True),
        Case("drafts that are often kept", *draw_rounds(20, 3, 6, near=0.9), core=True),
        Case("one text at a time", alone(12, 3, 5), verb=call_each),
        Case("nothing drafted", *draw_rounds(8, 0, 5)),
        Case("one word drafted", *draw_rounds(12, 1, 4)),
        Case("as many texts, drafts and words", *draw_rounds(5, 5, 5, near=0.8)),
        Case("a draft that is certain", *draw_rounds(12, 3, 4, certain=True)),
        Case("greedy, both certain", *draw_rounds(12, 3, 3, near=0.9, greedy=True)),
        Case("words that the model excludes", *draw_rounds(12, 3, 6, near=0.6, excluded=True)),
        Case(EDGES, *edges()),
        Case("texts that end", *with_end(16, 3, 4, 0.7), path=END),
        Case("longer drafts, texts that end", *with_end(16, 5, 5, 0.8), path=END),
    ]


def stacked(rounds):
    p, q, drafts, chances, redraws = (np.stack(part) for part in zip(*rounds, strict=True))
    floats = (torch.from_numpy(part).float() for part in (p, q))
    numbers = (torch.from_numpy(part).float() for part in (chances, redraws))
    return *floats, torch.from_numpy(drafts), *numbers


def edges():
    """A chance of 0 for a word that the model excludes, and a redraw of 0 behind it."""
    p = np.array([[[0.0, 0.5, 0.5], [0.2, 0.3, 0.5]], [[0.0, 0.25, 0.75], [0.5, 0.25, 0.25]]])
    q = np.array([[[0.5, 0.25, 0.25]], [[0.5, 0.5, 0.0]]])
    rounds = p, q, np.array([[0], [0]]), np.zeros((2, 1)), np.zeros(2)
    return *stacked(list(zip(*rounds, strict=True))), None


EDGES, END = "numbers of 0, where the first word is excluded", "texts that end"
KEPT = "chances[b, i] * q[b, i, word] >= p[b, i, word]"
REST = "(p[b, i] - q[b, i]).clamp(min=0)"
OWN = "texts.append(words if left is None else [*words, draw(left, redraws[b])])"
BONUS = "left = p[b, len(draft)]"
DRAWN = "draw(left, redraws[b])"
STOP = """\
            words.append(word)
            if word == end:
                break
"""
END_LOST = """\
            if word == end:
                break
            words.append(word)
"""


def vectorized(p, q, drafts, chances, redraws, end):
    """Each word is judged, whatever became of the one before it."""
    texts = []
    for b, draft in enumerate(drafts.tolist()):
        words, first = [], None
        for i, word in enumerate(draft):
            if chances[b, i] * q[b, i, word] < p[b, i, word]:
                words.append(word)
            elif first is None:
                first = i
        left = p[b, -1] if first is None else (p[b, first] - q[b, first]).clamp(min=0)
        texts.append([*words, draw(left, redraws[b])])
    return texts


def counted(p, q, drafts, chances, redraws, end):
    """As many words as would be kept, wherever they stand."""
    texts = []
    for b, draft in enumerate(drafts.tolist()):
        places = range(len(draft))
        keep = [bool(chances[b, i] * q[b, i, draft[i]] < p[b, i, draft[i]]) for i in places]
        count = sum(keep)
        words = draft[:count]
        if end in words:
            texts.append(words[: words.index(end) + 1])
            continue
        left = p[b, count] if count == len(draft) else (p[b, count] - q[b, count]).clamp(min=0)
        texts.append([*words, draw(left, redraws[b])])
    return texts


def replaced(p, q, drafts, chances, redraws, end):
    """A rejected word is replaced, and the draft goes on behind it."""
    texts = []
    for b, draft in enumerate(drafts.tolist()):
        words = []
        for i, word in enumerate(draft):
            if chances[b, i] * q[b, i, word] >= p[b, i, word]:
                word = draw((p[b, i] - q[b, i]).clamp(min=0), redraws[b])
            words.append(word)
        texts.append([*words, draw(p[b, -1], redraws[b])])
    return texts


def wherever_wrong(tells):
    """A predicate that holds if something does in each wrong text: (words, right ones, k)."""

    def shows(got, expected, case) -> bool:
        calls = [(got, expected, case.inputs)]
        if case.verb is call_each:
            calls = zip(got, expected, *case.inputs, strict=True)
        return all(
            mine == right or tells(mine, right, inputs[2].shape[1])
            for texts, wanted, inputs in calls
            for mine, right in zip(texts, wanted, strict=True)
        )

    return shows


def same_kept(mine, right, k) -> bool:
    """Whether at most the word that is drawn differs, or is missing."""
    return right[:-1] in (mine, mine[:-1])


rounds_task = Task(
    id="19-cheaper/rounds",
    title="A round of drafts",
    kind="build",
    points=3,
    minutes=30,
    answer="check_drafts",
    cases=rounds_cases,
    reference=check_drafts,
    misconceptions=(
        Misconception(
            "end-misread",
            any_of(
                changed(check_drafts, KEPT, f"word != end and {KEPT}"),
                changed(check_drafts, STOP, "            words.append(word)\n", END_LOST),
                changed(check_drafts, OWN, OWN.replace("None else", "None or end in draft else")),
                changed(
                    check_drafts,
                    "if word == end:\n",
                    "if word == end:\n                left = p[b, i + 1]\n",
                ),
            ),
            "It goes wrong where a text may end. Which words come behind the end, is the end a "
            "word of the text, and what if it is drafted and rejected?",
            only_at=("texts that end", "longer drafts, texts that end"),
        ),
        seen(
            "edge-misjudged",
            "A number of exactly 0 keeps or draws a word that has no probability. On which side "
            "of a sum does a number fall that equals it?",
            only_at=(EDGES,),
        ),
        REDRAWN_FROM_ANOTHER_REST.by(
            changed(check_drafts, REST, "p[b, i]", "q[b, i]", "(p[b, i] - q[b, i]).abs()"),
            changed(check_drafts, DRAWN, "int((left.cumsum(0) <= redraws[b]).sum())"),
            shows=wherever_wrong(
                lambda mine, right, k: len(mine) == len(right) <= k and same_kept(mine, right, k)
            ),
        ),
        WORDS_BEHIND_A_REJECTION.by(
            vectorized,
            counted,
            replaced,
            changed(
                check_drafts,
                "                left = (p",
                "                words.append(word)\n                left = (p",
            ),
            changed(check_drafts, f"left = {REST}\n", "words.append(word)\n"),
        ),
        MODELS_OWN_WORD.by(
            changed(check_drafts, BONUS, "pass"),
            shows=wherever_wrong(lambda mine, right, k: mine == right[:-1]),
        ),
        Misconception(
            "numbers-mixed-up",
            any_of(
                changed(check_drafts, BONUS, "left = p[b, len(draft) - 1]", "left = p[b, 0]"),
                changed(
                    check_drafts,
                    KEPT,
                    "chances[b, i] * q[b, i, word] >= p[b, i + 1, word]",
                    "chances[b, i] * q[b, i - 1, word] >= p[b, i, word]",
                    "chances[0, i] * q[b, i, word] >= p[b, i, word]",
                ),
                changed(check_drafts, REST, "(p[b, i + 1] - q[b, i]).clamp(min=0)"),
                changed(check_drafts, "chances[b, i]", "redraws[b]", "chances[b, 0]"),
                changed(check_drafts, DRAWN, "draw(left, redraws[0])", "int(left.argmax())"),
            ),
            "Something is decided by another number than its own: that of another place, another "
            "text or another purpose. Behind which words stands row 0 of p, and what do chances "
            "and redraws decide?",
        ),
        KEPT_BY_ANOTHER_RULE.by(
            changed(
                check_drafts,
                KEPT,
                "q[b, i, word] > p[b, i, word]",  # only what the model likes more
                "chances[b, i] >= p[b, i, word]",
            ),
            shows=lambda got, expected, case: not wherever_wrong(same_kept)(got, expected, case),
        ),
    ),
    compare=equal(),
)
