"""Stretch: the most probable split of a text into the pieces of a Unigram vocabulary."""

import math

import numpy as np

from headway.tasks.chapters.tokens.mistakes import (
    ANOTHER_RESULT,
    EMPTY_OR_SINGLE,
    LONGEST_CUT_SHORT,
    REVERSED,
    TOO_DEEP,
)
from headway.tasks.engine.compare import Difference, equal
from headway.tasks.engine.draw import draw_telling, draw_until
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task

UNKNOWN = -12.0


def best_split(text, logs, unknown):
    """The pieces whose logarithms have the largest sum: Viterbi's search, place by place."""
    longest = max(map(len, logs))
    # Of the first 0, 1, … letters: the sum of the best split, and where its last piece begins.
    best, last = [0.0], [None]
    for end in range(1, len(text) + 1):
        found = [
            (best[start] + logs[text[start:end]], start)
            for start in range(max(0, end - longest), end)
            if text[start:end] in logs
        ]
        if text[end - 1] not in logs:
            found.append((best[end - 1] + unknown, end - 1))
        score, start = max(found)
        best.append(score)
        last.append(start)
    split, cut = [], len(text)
    for end in range(len(text), 0, -1):
        if end == cut:
            split.append(text[last[end] : end])
            cut = last[end]
    return split[::-1]


def score(split, logs, unknown):
    """The sum of the logarithms of a split."""
    return sum(logs.get(piece, unknown) for piece in split)


def greedy(text, logs, unknown, key=len):
    """The piece with the largest key of those with which the rest begins, again and again."""
    split, start, longest = [], 0, max(map(len, logs))
    while start < len(text):
        ends = range(start + 1, min(start + longest, len(text)) + 1)
        known = [text[start:end] for end in ends]
        known = [piece for piece in known if piece in logs] or [text[start]]
        split.append(max(known, key=key))
        start += len(split[-1])
    return split


def greedy_by_log(text, logs, unknown):
    return greedy(text, logs, unknown, key=lambda piece: logs.get(piece, unknown))


def greedy_by_mean(text, logs, unknown):
    return greedy(text, logs, unknown, key=lambda piece: logs.get(piece, unknown) / len(piece))


def fewest(text, logs, unknown):
    """The split with the fewest pieces, and among these the most probable one."""
    return best_split(text, {piece: log / 1000 - 1 for piece, log in logs.items()}, -1.0)


def mean_of_logs(text, logs, unknown):
    """The split with the largest mean logarithm a piece.

    No split has a larger mean than λ if none has a sum of (logarithm − λ) above 0; so λ becomes
    the mean of the split with the largest such sum, until it is that mean (Dinkelbach's way).
    """
    split, mean = [], 0.0
    for _ in range(20):
        lowered = {piece: log - mean for piece, log in logs.items()}
        better = best_split(text, lowered, unknown - mean)
        if better == split:
            break
        split, mean = better, score(better, logs, unknown) / len(better)
    return split


def split_cases(rng: np.random.Generator) -> list[Case]:
    def vocabulary(letters: str, lengths, many: int) -> dict[str, float]:
        """Logarithms of random pieces and of all letters."""
        pieces = {"".join(rng.choice(list(letters), n)) for n in rng.choice(lengths, many)}
        ordered = sorted(pieces | set(letters))
        return {piece: round(float(-rng.uniform(1, 6)), 4) for piece in ordered}

    def telling(drawn) -> bool:
        """Where no shortcut comes to the best split."""
        text, logs, unknown = drawn
        right = best_split(text, logs, unknown)
        ways = (greedy, greedy_by_log, greedy_by_mean, fewest, mean_of_logs)
        best = score(right, logs, unknown)
        return all(score(way(text, logs, unknown), logs, unknown) < best - 0.01 for way in ways)

    def draw(length: int, letters="abc"):
        logs = vocabulary(letters, (2, 3, 4), 14)
        return "".join(rng.choice(list(letters), length)), logs, UNKNOWN

    def fourteen():
        drawn = draw_until(telling, lambda: draw(14))
        return Case("fourteen letters", *drawn, core=True)

    told = LONGEST_CUT_SHORT.name, "greedy-split"
    first, second = (draw_telling(best_split_task, fourteen, *told) for _ in range(2))
    a, b, c, d, e = "".join(rng.permutation(list("mnopqrstuvwxyz"))[:5])
    strange = {a: -2.0, b: -2.5, a + b: -3.0, b + a: -3.5, c + a: -20.0, c + b: -6.0}
    _, logs, _ = second.inputs
    long = "".join(rng.choice(list("abc"), 4_000))
    return [
        first,
        Case("fourteen letters of another vocabulary", *second.inputs),
        Case("letters that are no pieces", f"{a}{d}{b}{a}{e}{d}{a}{c}{a}{b}", strange, UNKNOWN),
        Case("a letter that is in longer pieces only", f"{c}{a}{c}{b}{a}", strange, UNKNOWN),
        Case(
            "a letter that is no piece, or a longer piece",
            f"{a}{b}{a}{c}{b}{a}",
            {a: -2.0, b: -2.5, c + b: -14.0},
            UNKNOWN,
        ),
        Case("letters that are dear", f"{a}{b}{a}", {a: -15.5, b: -16.5, a + b: -31.0}, UNKNOWN),
        Case(
            "a piece as long as the text, and a longer one",
            a + b + c,
            {a + b + c + d: -1.5, a + b + c: -7.5, a: -3, b: -3.5, c: -2},
            UNKNOWN,
        ),
        Case("four thousand letters", long, logs, UNKNOWN),
        Case("no text", "", {a: -1.0}, UNKNOWN),
    ]


def as_probable(got, expected, case: Case) -> Difference | None:
    """Whether a split is one of the text into pieces, and none is more probable."""
    text, logs, unknown = case.inputs
    if not isinstance(got, list) or not all(isinstance(piece, str) for piece in got):
        return equal()(got, expected, case)
    if "".join(got) != text:
        return Difference("your pieces, joined, are not the text.", got, expected)
    if strange := [piece for piece in got if piece not in logs and len(piece) != 1]:
        return Difference(f"{strange[0][:40]!r} is no piece of the vocabulary.", got, expected)
    mine, best = score(got, logs, unknown), score(expected, logs, unknown)
    if mine > best - 1e-6:
        return None
    return Difference(
        f"the logarithms of your split sum to {mine:.4f}; another split has {best:.4f}.",
        got,
        expected,
    )


def alike(got, wrong, case: Case) -> Difference | None:
    """Whether two answers are one split, or two of a text that are equally probable."""
    text, logs, unknown = case.inputs
    splits = got, wrong
    if all(isinstance(s, list) and all(isinstance(p, str) for p in s) for s in splits):
        known = all("".join(s) == text and all(p in logs or len(p) == 1 for p in s) for s in splits)
        if known and abs(score(got, logs, unknown) - score(wrong, logs, unknown)) < 1e-6:
            return None
    return equal()(got, wrong, case)


def _recursive(text, logs, unknown):
    """Right where Python follows: one call inside another for each piece."""
    known, longest = {}, max(map(len, logs))

    def best(start):
        if start == len(text):
            return 0.0, []
        if start not in known:
            found = []
            for end in range(start + 1, min(start + longest, len(text)) + 1):
                piece = text[start:end]
                if piece in logs or end == start + 1:
                    total, rest = best(end)
                    found.append((total + logs.get(piece, unknown), [piece, *rest]))
            known[start] = max(found)
        return known[start]

    return best(0)[1]


def _product(text, logs, unknown):
    """Probabilities multiplied, of which long texts leave nothing."""
    chances = {piece: math.exp(log) for piece, log in logs.items()}
    best, last = [1.0], [0]
    for end in range(1, len(text) + 1):
        found = [
            (best[start] * chances[text[start:end]], start)
            for start in range(max(0, end - 8), end)
            if text[start:end] in chances
        ]
        if text[end - 1] not in chances:
            found.append((best[end - 1] * math.exp(unknown), end - 1))
        value, start = max(found)
        best.append(value)
        last.append(start)
    split, end = [], len(text)
    while end:
        split.append(text[last[end] : end])
        end = last[end]
    return split[::-1]


CHOICE, KNOWN = "max(found)", "logs[text[start:end]]"
STRANGE = "text[end - 1] not in logs"

best_split_task = Task(
    id="05-tokens/best-split",
    title="The best split of a Unigram model",
    kind="stretch",
    points=4,
    minutes=30,
    answer="best_split",
    cases=split_cases,
    reference=best_split,
    misconceptions=(
        Misconception(
            "greedy-split",
            any_of(
                greedy,
                greedy_by_log,
                greedy_by_mean,
                changed(best_split, f"best[start] + {KNOWN}", KNOWN),
            ),
            "Yours takes the piece that is longest or most probable by itself. What does it leave "
            "for the rest of the text?",
        ),
        Misconception(
            "another-measure-of-splits",
            any_of(
                fewest,
                lambda text, logs, unknown: best_split(text, dict.fromkeys(logs, -1.0), -1.0),
                mean_of_logs,
                changed(best_split, CHOICE, "min(found)"),
            ),
            "Yours is the best split by another measure: the fewest pieces, the largest mean, or "
            "the smallest sum. What makes one split more probable than another?",
        ),
        TOO_DEEP.by(_recursive),
        REVERSED.by(changed(best_split, "split[::-1]", "split")),
        ANOTHER_RESULT.by(
            changed(best_split, "return split[::-1]", "return best[-1]"),
            changed(best_split, "return split[::-1]", "return [best[-1], split[::-1]]"),
        ),
        EMPTY_OR_SINGLE.by(
            changed(
                best_split, "split, cut = [], len(text)", "text[0]; split, cut = [], len(text)"
            ),
        ),
        Misconception(
            "probabilities-vanish",
            _product,
            "On long texts yours goes astray, because a product of thousands of probabilities "
            "rounds to 0. Of what are you given the numbers?",
        ),
        Misconception(
            "unknown-letters",
            any_of(
                changed(best_split, STRANGE, "True"),
                changed(best_split, STRANGE, "False"),
                changed(best_split, STRANGE, "not any(text[end - 1] in piece for piece in logs)"),
                changed(best_split, "best[end - 1] + unknown", "best[end - 1]"),
                lambda text, logs, unknown: [
                    p for p in best_split(text, logs, unknown) if p in logs
                ],
                lambda text, logs, unknown: best_split(text, logs, -1e9),
            ),
            "You take single letters, known or not, in another way or at another cost than the "
            "text. When may a letter be taken alone, and what does it cost?",
        ),
        LONGEST_CUT_SHORT.by(changed(best_split, "max(map(len, logs))", "2", "3")),
    ),
    compare=as_probable,
    alike=alike,
)
