"""Build: choose words, hide most of them, and keep what stood there as labels."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from headway.tasks.chapters.masked_model.mistakes import (
    CHOSEN_AND_OTHERS_SWAPPED,
    CHOSEN_NOT_ASKED,
    EVERY_PLACE_ASKED,
    FATES_MIXED_UP,
    LABELS_AFTER_MASKING,
    RANDOM_WORD_ANOTHER,
    SHARES_OF_ANOTHER_WHOLE,
    SPECIALS_CHOSEN,
    WORD_ZERO_LOST,
)
from headway.tasks.engine.compare import Compare, Difference, close
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.probe import call_each
from headway.tasks.engine.task import Case, Task

NOTHING = -100
NONE = 1e-9  # no more than rounding
SURE = 5.0  # standard deviations that chance may be off
BOTH = 1.2  # and how much more two answers may be apart, which both hang on chance
DRAWN = 0.35  # how far the number of different random words may be off, of what one expects
ELSEWHERE = ("special", "elsewhere", "wrong_label")  # where nothing should be
CALLS, VARIANCE = 100, (0.35, 2.0)  # of small batches; and how much their counts may vary
ONE_FATE = "one fate for all"  # and a seed: every way in which all chosen words share theirs


def mask_tokens(ids, special, mask_id, size, seed, share=0.15):
    """Inputs with some words hidden, and labels: the words that were chosen, −100 elsewhere."""
    rng = np.random.default_rng(seed)
    words = np.setdiff1d(np.arange(size), special)
    may = ~np.isin(ids, special)
    chosen = may & (rng.random(ids.shape) < share)
    fate = rng.random(ids.shape)
    others = rng.choice(words, ids.shape)
    inputs = np.where(chosen & (fate < 0.8), mask_id, ids)
    inputs = np.where(chosen & (fate >= 0.9), others, inputs)
    labels = np.where(chosen, ids, NOTHING)
    return inputs, labels


def cases(rng: np.random.Generator) -> list[Case]:
    def draw(label, shape, size, special, share=None, words=True, few=None, **options):
        """Texts that begin and end with special tokens, and are filled up with others.

        Args:
            few: how many of the words the texts have; all of them if not given.
        """
        order = in_any_order(size)
        apart, others = order[:special], order[special:]
        if not special:  # the mask is special, wherever it is
            apart, others = order[:1], order[1:]
        ids = rng.choice(others[:few] if words else apart, shape)
        if special > 1:
            ids[:, 0], ids[:, -1] = apart[-1], apart[-1]
            lengths = rng.integers(shape[1] // 2, shape[1] + 1, len(ids))
            ids[np.arange(shape[1]) >= lengths[:, None]] = apart[-2]
        seed = int(rng.integers(1, 10_000))
        given = [] if share is None else [share]
        return Case(label, ids, apart.tolist(), int(apart[0]), size, seed, *given, **options)

    def in_any_order(size):
        """Ids, of which the first are special; 0 is a word, and stands last."""
        return np.append(rng.permutation(np.arange(1, size)), 0)

    def small(*seeds):
        """Calls with the same forty words, and a seed each."""
        order = in_any_order(30)
        ids, special = rng.choice(order[3:], (4, 10)), order[:3].tolist()
        return [[ids.copy(), [*special], special[0], 30, int(seed)] for seed in seeds]

    first, other = rng.permutation(10_000)[:2]
    return [
        draw("many texts", (300, 100), 40, 4, core=True),
        # So many that nine tenths of the share tell.
        draw("twice as many", (600, 100), 40, 4, core=True),
        draw("two different words", (300, 100), 6, 4),
        draw("few of the words there are", (100, 60), 60, 4, few=6),
        Case(
            "small batches, each with a seed of its own",
            small(*rng.permutation(10_000)[:CALLS]),
            verb=call_each,
            compare=both(drawn_together),
        ),
        Case(
            "a seed twice, and another one",
            small(first, first, other),
            verb=call_each,
            compare=both(chance_without_seed),
        ),
        draw("texts without special tokens", (100, 60), 30, 0),
        draw("special tokens only", (30, 40), 12, 4, words=False),
        draw("one text", (1, 5_000), 25, 3),
        draw("half of the words", (100, 60), 30, 3, 0.5, path="another share"),
        draw("every word", (100, 60), 30, 3, 1.0, path="another share"),
        draw("no word", (100, 60), 30, 3, 0.0, path="another share"),
    ]


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


MAY, CHOSEN = "~np.isin(ids, special)", "rng.random(ids.shape) < share"
FATE, OTHERS = "fate = rng.random(ids.shape)", "rng.choice(words, ids.shape)"
MASKED, REPLACED = "chosen & (fate < 0.8)", "chosen & (fate >= 0.9)"
LABELS = "np.where(chosen, ids, NOTHING)"


def _fixed_number(ids, special, mask_id, size, seed, share=0.15):
    """As many labels in each row as its words and the share say."""
    rng = np.random.default_rng(seed)
    order = np.where(np.isin(ids, special), 2.0, rng.random(ids.shape)).argsort(1).argsort(1)
    count = np.rint(share * (~np.isin(ids, special)).sum(1, keepdims=True))
    return _masked(ids, order < count, special, mask_id, size, rng)


def _fixed_number_of_all(ids, special, mask_id, size, seed, share=0.15):
    """As many labels in the batch as its words and the share say."""
    rng = np.random.default_rng(seed)
    places = np.flatnonzero(~np.isin(ids, special))
    chosen = np.zeros(ids.size, dtype=bool)
    chosen[rng.permutation(places)[: round(share * len(places))]] = True
    return _masked(ids, chosen.reshape(ids.shape), special, mask_id, size, rng)


def _masked(ids, chosen, special, mask_id, size, rng):
    """The right fates of places that were chosen somehow."""
    fate, words = rng.random(ids.shape), np.setdiff1d(np.arange(size), special)
    inputs = np.where(chosen & (fate < 0.8), mask_id, ids)
    inputs = np.where(chosen & (fate >= 0.9), rng.choice(words, ids.shape), inputs)
    return inputs, np.where(chosen, ids, NOTHING)


def _fixed_numbers_of_fates(ids, special, mask_id, size, seed, share=0.15):
    """Of the chosen words of the batch exactly eight in ten are hidden, and one in ten replaced."""
    rng = np.random.default_rng(seed)
    chosen = ~np.isin(ids, special) & (rng.random(ids.shape) < share)
    places = rng.permutation(np.flatnonzero(chosen))
    ends = [round(0.8 * len(places)), round(0.9 * len(places))]
    masked, replaced, _ = np.split(places, ends)
    inputs = ids.copy()
    inputs.flat[masked] = mask_id
    inputs.flat[replaced] = rng.choice(np.setdiff1d(np.arange(size), special), len(replaced))
    return inputs, np.where(chosen, ids, NOTHING)


def _specials_kept_in_labels(ids, special, mask_id, size, seed, share=0.15):
    """The special tokens are never changed, and have labels now and then."""
    rng = np.random.default_rng(seed)
    chosen = rng.random(ids.shape) < share
    inputs, _ = _masked(ids, chosen & ~np.isin(ids, special), special, mask_id, size, rng)
    return inputs, np.where(chosen, ids, NOTHING)


def _fates_of_all(ids, special, mask_id, size, seed, share=0.15):
    """Eight in ten of all chosen words, drawn anew for each fate."""
    rng = np.random.default_rng(seed)
    words = np.setdiff1d(np.arange(size), special)
    chosen = ~np.isin(ids, special) & (rng.random(ids.shape) < share)
    inputs = np.where(chosen & (rng.random(ids.shape) < 0.8), mask_id, ids)
    again = chosen & (rng.random(ids.shape) < 0.1)
    return np.where(again, rng.choice(words, ids.shape), inputs), np.where(chosen, ids, NOTHING)


def _draws_for_each_fate(ids, special, mask_id, size, seed, share=0.15):
    """Three draws over all words, so that few of the labels belong to a hidden word."""
    rng = np.random.default_rng(seed)
    words = np.setdiff1d(np.arange(size), special)
    may = ~np.isin(ids, special)
    masked, replaced = (may & (rng.random(ids.shape) < share * part) for part in (0.8, 0.1))
    chosen = may & (rng.random(ids.shape) < share)
    inputs = np.where(replaced, rng.choice(words, ids.shape), np.where(masked, mask_id, ids))
    return inputs, np.where(chosen, ids, NOTHING)


def _always_another(ids, special, mask_id, size, seed, share=0.15):
    """A random word is one of the others, by its place among the words."""
    rng = np.random.default_rng(seed)
    words = np.setdiff1d(np.arange(size), special)
    chosen = ~np.isin(ids, special) & (rng.random(ids.shape) < share)
    fate, step = rng.random(ids.shape), rng.integers(1, max(len(words), 2), ids.shape)
    others = words[(np.searchsorted(words, ids) + step) % len(words)]
    inputs = np.where(chosen & (fate < 0.8), mask_id, ids)
    return np.where(chosen & (fate >= 0.9), others, inputs), np.where(chosen, ids, NOTHING)


def _words_behind_the_specials(ids, special, mask_id, size, seed, share=0.15):
    """A random word is any id behind the largest special one."""
    rng = np.random.default_rng(seed)
    chosen = ~np.isin(ids, special) & (rng.random(ids.shape) < share)
    fate, behind = rng.random(ids.shape), np.arange(min(max(special) + 1, size - 1), size)
    inputs = np.where(chosen & (fate < 0.8), mask_id, ids)
    inputs = np.where(chosen & (fate >= 0.9), rng.choice(behind, ids.shape), inputs)
    return inputs, np.where(chosen, ids, NOTHING)


(always_masked,) = changed(mask_tokens, FATE, "fate = np.zeros(ids.shape)")

mask_tokens_task = Task(
    id="12-masked-model/mask-tokens",
    title="Masking, with labels",
    kind="build",
    points=3,
    minutes=20,
    answer="mask_tokens",
    cases=cases,
    reference=mask_tokens,
    misconceptions=(
        SPECIALS_CHOSEN.by(
            changed(mask_tokens, MAY, "np.ones(ids.shape, dtype=bool)", "ids != mask_id"),
            _specials_kept_in_labels,
        ),
        EVERY_PLACE_ASKED.by(
            changed(mask_tokens, LABELS, "ids.copy()", "np.where(may, ids, NOTHING)")
        ),
        CHOSEN_NOT_ASKED.by(
            changed(
                mask_tokens,
                LABELS,
                "np.where(chosen & (inputs == mask_id), ids, NOTHING)",
                "np.where(chosen & (inputs != ids), ids, NOTHING)",
                "np.where(chosen & (fate < 0.9), ids, NOTHING)",
                "np.where(chosen & ((fate < 0.8) | (fate >= 0.9)), ids, NOTHING)",
            )
        ),
        LABELS_AFTER_MASKING.by(
            changed(mask_tokens, LABELS, "np.where(chosen, inputs, NOTHING)"),
            changed(always_masked, LABELS, "np.where(chosen, inputs, NOTHING)"),
        ),
        CHOSEN_AND_OTHERS_SWAPPED.by(
            changed(mask_tokens, LABELS, "np.where(chosen, NOTHING, ids)"),
            changed(mask_tokens, CHOSEN, "rng.random(ids.shape) > share"),
        ),
        WORD_ZERO_LOST.by(
            changed(mask_tokens, MAY, "~np.isin(ids, special) & (ids > 0)"),
            changed(mask_tokens, LABELS, "np.where(chosen & (ids > 0), ids, NOTHING)"),
        ),
        Misconception(
            "always-masked",
            any_of(
                always_masked,
                changed(mask_tokens, MASKED, "chosen", "chosen & (fate < 0.9)"),
                changed(mask_tokens, "rng.choice(words, ids.shape)", "mask_id"),
            ),
            "More of the chosen words become the mask than should: all of them, or all but the "
            "replaced or the kept ones. Later texts have no mask at all. What would a model "
            "learn of words that it can see?",
        ),
        Misconception(
            "one-draw-for-both",
            changed(mask_tokens, FATE, "fate = np.random.default_rng(seed).random(ids.shape)"),
            "All chosen words become the mask, unless every word is chosen. Which draws of a word "
            "are small enough for it to be chosen, and what becomes of it at such a draw?",
        ),
        Misconception(
            "special-by-number",
            any_of(
                changed(mask_tokens, MAY, "ids >= len(special)"),
                changed(
                    *changed(mask_tokens, MAY, "ids >= len(special)"),
                    "np.setdiff1d(np.arange(size), special)",
                    "np.arange(len(special), size)",
                ),
                changed(mask_tokens, MAY, "ids > max(special)"),
                _words_behind_the_specials,
            ),
            "You tell special tokens by how small their ids are, in the texts or where a random "
            "word is drawn. Is it the lowest ids that are no words here, and who says which ones "
            "are?",
        ),
        Misconception(
            "too-few-random-words",
            changed(
                mask_tokens,
                OTHERS,
                "rng.choice(ids[may] if may.any() else words, ids.shape)",
                "rng.choice(np.unique(ids[may]) if may.any() else words, ids.shape)",
                "rng.choice(words[:-1], ids.shape)",
                "rng.choice(words[1:], ids.shape)",
                "rng.choice(words)",
                "np.broadcast_to(rng.choice(words), ids.shape)",
                "words[0]",
            ),
            "Your random words are too few different ones: a single one, those of the texts at "
            "hand, or all but the first or the last. Which words may come, and how often is one "
            "drawn?",
        ),
        Misconception(
            "chance-without-the-seed",
            changed(
                mask_tokens,
                "default_rng(seed)",
                "default_rng()",
                "default_rng(0)",
            ),
            "With the same seed your second call gives something else, or every seed gives the "
            "same. Where does chance come from in your code, and what is it told?",
        ),
        Misconception(
            "one-fate-for-all",
            lambda ids, special, mask_id, size, seed, share=0.15: f"{ONE_FATE}, {seed}",
            "All chosen words of a call share one fate. How many draws does your code make for it, "
            "and how many chosen words are there?",
        ),
        FATES_MIXED_UP.by(
            changed(mask_tokens, MASKED, "chosen & (fate < 0.1)", "chosen & (fate >= 0.8)"),
            changed(
                mask_tokens,
                REPLACED,
                "chosen & (fate >= 0.8)",
                "chosen & (fate < 0.9)",
                "chosen & (fate >= 0.98)",
            ),
            changed(mask_tokens, MASKED, "chosen & (fate < 0.7)"),
            _fates_of_all,
            _draws_for_each_fate,
        ),
        RANDOM_WORD_ANOTHER.by(_always_another),
        SHARES_OF_ANOTHER_WHOLE.by(
            changed(mask_tokens, CHOSEN, "rng.random(ids.shape) < share * ids.size / may.sum()"),
            changed(mask_tokens, CHOSEN, "rng.random(ids.shape) < 0.8 * share"),
            changed(mask_tokens, CHOSEN, "rng.random(ids.shape) < 0.9 * share"),
        ),
        Misconception(
            "replaced-by-special-tokens",
            changed(
                mask_tokens,
                OTHERS,
                "rng.integers(size, size=ids.shape)",
                "rng.integers(0, size - 1, size=ids.shape)",
                "rng.integers(1, size, size=ids.shape)",
                "rng.choice(special, ids.shape)",
                "rng.integers(len(special), size, size=ids.shape)",
                "rng.integers(size - len(special), size=ids.shape)",
            ),
            "Some of your random words are no words. Which ids are left if the special tokens may "
            "not be drawn, and do they stand side by side?",
        ),
        Misconception(
            "no-draw-for-each-word",
            any_of(
                _fixed_number,
                _fixed_number_of_all,
                _fixed_numbers_of_fates,
                changed(mask_tokens, CHOSEN, "rng.random(ids.shape[1]) < share"),
                changed(mask_tokens, CHOSEN, "rng.random((len(ids), 1)) < share"),
                changed(mask_tokens, CHOSEN, "rng.random() < share"),
            ),
            "The shares may be right, and whether a word is chosen or becomes the mask hangs on "
            "others: on its column, its row, or on how many others are chosen or hidden already. "
            "How many draws are there if every word has its own, and how many are chosen then?",
        ),
        Misconception(
            "share-fixed",
            changed(mask_tokens, CHOSEN, "rng.random(ids.shape) < 0.15"),
            "This is right for 0.15, whatever share is asked for. Which argument says how many "
            "words are chosen?",
        ),
        Misconception(
            "another-sign-for-nothing",
            changed(mask_tokens, LABELS, "np.where(chosen, ids, -1)", "np.where(chosen, ids, 0)"),
            "The right places are asked about, and the others carry another sign than the one that "
            "the text names. Which number is passed over by the loss, and can it be a word?",
        ),
    ),
    compare=as_asked,
    alike=alike,
)
