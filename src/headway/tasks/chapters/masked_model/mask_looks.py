"""How masked texts and their labels look, in shares, and whether that is right up to chance."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from headway.tasks.engine.compare import Compare, Difference, close
from headway.tasks.engine.task import Case

NOTHING = -100
NONE = 1e-9  # no more than rounding
SURE = 5.0  # standard deviations that chance may be off
BOTH = 1.2  # and how much more two answers may be apart, which both hang on chance
DRAWN = 0.35  # how far the number of different random words may be off, of what one expects
ELSEWHERE = ("special", "elsewhere", "wrong_label")  # where nothing should be
CALLS, VARIANCE = 100, (0.35, 2.0)  # of small batches; and how much their counts may vary


class Looks(NamedTuple):
    """What inputs and labels look like, in shares; NaN where there is nothing to take a share of.

    Attributes:
        chosen: of the words that have a label.
        special: of the special tokens that have one, or are not what they were.
        elsewhere: of the words without a label that are not what they were.
        wrong_label: of the labels that are not the word that stood there.
        masked, kept: of the places with a label that hold the mask, and their own word.
        foreign: of the other ones that hold a special token, or no id at all.
        drawn: how many different words stand at the others, of as many as one expects.
        by_rows, by_columns: how much the numbers of labels in rows and in columns vary, of what
            they would if every word were drawn for by itself.
    """

    chosen: float
    special: float
    elsewhere: float
    wrong_label: float
    masked: float
    kept: float
    foreign: float
    drawn: float
    by_rows: float
    by_columns: float


# How far two wrong answers may be apart, and be alike, where nothing may be off in a right one.
NEAR = Looks(0.02, *[0.08] * 3, *[0.02] * 2, 0.2, *[0.0] * 3)


def look(got, case: Case) -> Looks | str:
    """What an answer looks like, or what is wrong with its form."""
    ids, special, mask_id, size = case.inputs[:4]
    if not isinstance(got, list) or len(got) != 2:
        return "two things are asked for: the inputs and the labels."
    inputs, labels = (np.asarray(part) for part in got)
    for name, part in (("inputs", inputs), ("labels", labels)):
        if part.shape != ids.shape:
            return f"the {name} have the shape {part.shape}; the ids have {ids.shape}."
        if part.dtype.kind not in "iu":
            return f"the {name} are no whole numbers."
    words = ~np.isin(ids, special)
    asked = labels != NOTHING
    chosen = asked & words
    others = chosen & (inputs != mask_id) & (inputs != ids)
    foreign = np.isin(inputs, special) | (inputs < 0) | (inputs >= size)
    drawn = np.unique(inputs[others & ~foreign])
    possible = size - len(special)
    expected, _ = _distinct(others.sum(), possible)
    share = _share(asked, words)
    return Looks(
        chosen=share,
        special=_share(asked | (inputs != ids), ~words),
        elsewhere=_share(inputs != ids, words & ~asked),
        wrong_label=_share(labels != ids, chosen),
        masked=_share(inputs == mask_id, chosen),
        kept=_share(inputs == ids, chosen),
        foreign=_share(foreign, others),
        drawn=len(drawn) / expected if expected else np.nan,
        by_rows=_spread(chosen, words, share, axis=1),
        by_columns=_spread(chosen, words, share, axis=0),
    )


def _share(these: np.ndarray, of: np.ndarray) -> float:
    return float(these[of].mean()) if of.any() else np.nan


def _spread(chosen: np.ndarray, words: np.ndarray, share: float, axis: int) -> float:
    """The variance of the counts around what one expects, of that of as many free draws."""
    counts, sizes = chosen.sum(axis), words.sum(axis)
    if not 0 < share < 1 or len(counts) < 50:
        return np.nan
    free = sizes * share * (1 - share)
    some = free > 1
    return (
        float(((counts - sizes * share)[some] ** 2 / free[some]).mean()) if some.any() else np.nan
    )


def expected_looks(case: Case) -> tuple[Looks, Looks]:
    """What one expects of a right answer, and how far chance may be from it."""
    _, special, _, size, *_ = case.inputs
    share = case.inputs[5] if len(case.inputs) > 5 else 0.15
    kept = 0.1 + 0.1 / (size - len(special))
    means = Looks(share, 0, 0, 0, 0.8, kept, 0, 1, 1, 1)
    return means, limits_around(means, case)._replace(drawn=DRAWN)


def limits_around(looks: Looks, case: Case) -> Looks:
    """How far chance may take an answer from such looks; 0 for what chance has no part in."""
    ids, special, _, size = case.inputs[:4]
    words = (~np.isin(ids, special)).sum()
    chosen = max(looks.chosen * words, 1)

    def chance(p, n):
        return SURE * np.sqrt(p * (1 - p) / n) + NONE

    others = max(np.nan_to_num(chosen * (1 - looks.masked - looks.kept)), 1)
    mean, deviation = _distinct(others, size - len(special))
    return Looks(
        chance(looks.chosen, max(words, 1)),
        *(0, 0, 0),
        *(chance(looks.masked, chosen), chance(looks.kept, chosen)),
        *(0, max(DRAWN, SURE * deviation / mean), 0.75, 2.0),
    )


def _distinct(draws: float, values: int) -> tuple[float, float]:
    """Mean and deviation of the number of different ones among so many draws of equal chances."""
    one, two = (max(0, 1 - part / values) ** draws for part in (1, 2))
    variance = values * one * (1 - one) + values * (values - 1) * (two - one**2)
    return values * (1 - one), np.sqrt(max(variance, 0.0))


SAID = {
    "chosen": "{got:.1%} of the words have a label; about {expected:.0%} are asked for.",
    "special": "{got:.1%} of the special tokens have a label or were changed.",
    "elsewhere": "{got:.1%} of the words without a label are not what they were.",
    "wrong_label": "{got:.1%} of the labels are not the word that stood there.",
    "masked": "{got:.1%} of the words with a label became the mask; about {expected:.0%} are asked "
    "for.",
    "kept": "{got:.1%} of the words with a label stand in the input; about {expected:.1%} are "
    "expected.",
    "foreign": "{got:.1%} of the random words are special tokens, or no id at all.",
    "drawn": "the random words are not as many different ones as they should be.",
    "by_rows": "the numbers of labels in the rows vary {got:.2f} times as much as they would if "
    "every word had a draw of its own.",
    "by_columns": "the numbers of labels in the columns vary {got:.2f} times as much as they would "
    "if every word had a draw of its own.",
}


def as_asked(got, expected, case: Case) -> Difference | None:
    """Whether everything is as it should be, up to chance."""
    found = look(got, case)
    if isinstance(found, str):
        return Difference(found)
    means, limits = expected_looks(case)
    for name, text in SAID.items():
        value, mean, limit = (getattr(part, name) for part in (found, means, limits))
        if abs(value - mean) > limit:
            return Difference(text.format(got=value, expected=mean))
    return None


def alike(got, expected, case: Case) -> Difference | None:
    """Whether two answers look the same, up to chance."""
    mine, theirs = look(got, case), look(expected, case)
    if type(expected) is str:
        if type(got) is str and got == expected:
            return None
        if isinstance(mine, str) or any(getattr(mine, part) > 0 for part in ELSEWHERE):
            return Difference("another mistake.")
        few = not mine.chosen > 0 or case.inputs[0].size < 100
        one = few or mine.masked == 1 or (mine.masked == 0 and _is_one(mine.kept, case))
        return None if one else Difference("several fates.")
    if isinstance(mine, str) or isinstance(theirs, str):
        return None if mine == theirs else Difference("another form.")
    limits = limits_around(theirs, case)
    for value, other, limit, near in zip(mine, theirs, limits, NEAR, strict=True):
        if np.isnan(value) != np.isnan(other) or abs(value - other) > (
            BOTH * limit if limit > NONE else near
        ):
            return Difference("they look different.")
    return None


def _is_one(kept: float, case: Case) -> bool:
    """Whether all words are kept, or all replaced, by themselves only as often as by chance."""
    _, special, _, size = case.inputs[:4]
    by_chance = 1 / (size - len(special))
    return kept == 1 or abs(kept - by_chance) < max(0.05, by_chance / 2)


def drawn_together(got, case: Case) -> str | None:
    """What is wrong with how many labels each of many small batches has, and how many masks."""
    words, mask_id = 40, case.inputs[0][0][2]
    try:
        pairs = [(np.asarray(inputs), np.asarray(labels) != NOTHING) for inputs, labels in got]
        labels = np.array([chosen.sum() for _, chosen in pairs])
        masks = np.array([(inputs[chosen] == mask_id).sum() for inputs, chosen in pairs])
    except (TypeError, ValueError, IndexError):
        return "each call is asked for two things: the inputs and the labels."
    share = masks.sum() / max(labels.sum(), 1)
    for name, counts, sizes, p in (
        ("labels", labels, np.full(CALLS, words), 0.15),
        ("masks", masks, labels, share),
    ):
        free = sizes.sum() * p * (1 - p)
        ratio = ((counts - sizes * p) ** 2).sum() / free if free > 0 else 1.0
        if not VARIANCE[0] <= ratio <= VARIANCE[1]:
            return (
                f"in {CALLS} batches of {words} words, the numbers of {name} vary {ratio:.2f} "
                "times as much as they would if every word had a draw of its own."
            )
    return None


def chance_without_seed(got, case: Case) -> str | None:
    """What is wrong with three calls, the first two of which have the same seed."""
    first, again, other = got
    if _differ(first, again):
        return "the same seed gives something else the second time."
    return None if _differ(first, other) else "another seed gives the same as the first."


def _differ(one, other) -> bool:
    return close()(one, other) is not None


def both(fault: Callable[[Any, Case], str | None]) -> Compare:
    """None where neither of two outcomes has the fault, or both have the same."""

    def compare(got, expected, case: Case) -> Difference | None:
        mine, theirs = fault(got, case), fault(expected, case)
        if (mine is None) == (theirs is None):
            return None
        return Difference(mine or "nothing is wrong here.")

    return compare
