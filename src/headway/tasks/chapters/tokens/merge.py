"""Build: put one new symbol in the place of every occurrence of a pair."""

import numpy as np

from headway.tasks.chapters.tokens.mistakes import (
    EMPTY_OR_SINGLE,
    END_OF_THE_WORD,
    FIRST_PLACE_ONLY,
    FROM_THE_RIGHT,
    IDS_AS_TEXT,
    ORDER_OF_PAIR_LOST,
)
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.requirements import RESULT_KEPT, arguments_kept, result_kept
from headway.tasks.engine.task import Case, Task


def merge(ids, pair, new):
    """The ids with `new` for each occurrence of the pair, taken from left to right."""
    merged, after = [], 0  # where the next symbol stands that is in no pair yet
    for place in range(len(ids)):
        if place >= after:
            found = tuple(ids[place : place + 2]) == tuple(pair)
            merged.append(new if found else ids[place])
            after = place + 1 + found
    return merged


# What an answer may be right without; each costs a sixth of the points.
ONE_PASS, PLACES = "one pass from left to right", "where the pair stands"


def merge_cases(rng: np.random.Generator) -> list[Case]:
    # Of three digits: in a text of such ids no pair begins within an id.
    a, b, c, d = (int(i) for i in rng.permutation(150)[:4] + 100)
    new = int(rng.integers(256, 900))
    filling = [[int(i) for i in rng.choice([b, c, d], n)] for n in (2, 3)]
    for some in filling:
        some[-1] = d  # neither part of the pair stands before it by chance
    text = [a, b, *filling[0], a, b, a, b, *filling[1], a, c]
    return [
        Case("a pair at several places", text, (a, b), new, core=True),
        Case("a pair at the end", [*filling[0], c, a, b], (a, b), new, path=PLACES),
        Case("three in a row", [d, a, a, a, c], (a, a), new, path=ONE_PASS),
        Case("six in a row", [a] * 6, (a, a), new, path=ONE_PASS),
        Case("seven in a row, at the end", [c, *[a] * 7], (a, a), new, path=ONE_PASS),
        Case(
            "the pair and its mirror image", [b, a, c, b, a, b, a, a, b], (a, b), new, path=PLACES
        ),
        Case("a new symbol beside its parts", [a, b, c, a, a, b], (a, b), c, path=ONE_PASS),
        Case("a new symbol that makes the pair anew", [a, a, b, b, d], (a, b), a, path=ONE_PASS),
        Case(
            "ids with digits of the pair in them",
            [112, 3, 12, 3, 12, 34, 12, 3],
            (12, 3),
            new,
            path=PLACES,
        ),
        Case("no such pair", [a, c, b, d, a], (a, b), new, path=PLACES),
        Case("one symbol", [a], (a, b), new, path=PLACES),
        Case("no symbol", [], (a, b), new, path=PLACES),
        arguments_kept([a, b, a, b, c], (a, b), new),
        result_kept([a, c, d, c], (a, b), new),
    ]


STEP, FOUND = "place + 1 + found", "tuple(ids[place : place + 2]) == tuple(pair)"


def _from_the_right(ids, pair, new):
    return merge(ids[::-1], tuple(pair)[::-1], new)[::-1]


def _as_text(ids, pair, new):
    text = " ".join(map(str, ids)).replace(" ".join(map(str, pair)), str(new))
    return [int(word) for word in text.split()]


def _until_none_is_left(ids, pair, new):
    merged = merge(ids, pair, new)
    for _ in ids:
        merged = merge(merged, pair, new)
    return merged


def _first_only(ids, pair, new):
    for place in range(len(ids) - 1):
        if tuple(ids[place : place + 2]) == tuple(pair):
            return [*ids[:place], new, *ids[place + 2 :]]
    return list(ids)


def _in_place(ids, pair, new):
    place = 0
    while place < len(ids) - 1:
        if tuple(ids[place : place + 2]) == tuple(pair):
            ids[place : place + 2] = [new]
        place += 1
    return ids


def _itself_if_nothing_changes(ids, pair, new):
    merged = merge(ids, pair, new)
    return ids if merged == ids else merged


def _looking_back(ids, pair, new):
    """Merges with what the last merge has made, too."""
    merged = []
    for symbol in ids:
        merged.append(symbol)
        while tuple(merged[-2:]) == tuple(pair):
            merged[-2:] = [new]
    return merged


def _last_doubled(ids, pair, new):
    merged = merge(ids, pair, new)
    return [*merged, ids[-1]] if tuple(ids[-2:]) == tuple(pair) else merged


def _new_beside_the_pair(ids, pair, new):
    beside = {new: [*pair, new]}
    return [symbol for i in merge(ids, pair, new) for symbol in beside.get(i, [i])]


def _pair_removed(ids, pair, new):
    return [symbol for symbol in merge(ids, pair, -1) if symbol != -1]


merge_task = Task(
    id="05-tokens/merge",
    title="One symbol for a pair",
    kind="build",
    points=2,
    minutes=8,
    answer="merge",
    cases=merge_cases,
    reference=merge,
    misconceptions=(
        FIRST_PLACE_ONLY.by(_first_only),
        FROM_THE_RIGHT.by(_from_the_right),
        ORDER_OF_PAIR_LOST.by(
            changed(merge, FOUND, "sorted(ids[place : place + 2]) == sorted(pair)"),
            changed(merge, FOUND, "tuple(ids[place : place + 2])[::-1] == tuple(pair)"),
        ),
        Misconception(
            "place-after-a-merge",
            any_of(
                changed(merge, STEP, "place + 1", "place + 1 + 2 * found"),
                _until_none_is_left,
                _looking_back,
            ),
            "After a merge yours goes on at the wrong place: it uses a symbol again, leaves one "
            "out, or looks back. Where does one pass from left to right go on?",
        ),
        END_OF_THE_WORD.by(
            changed(merge, "range(len(ids))", "range(len(ids) - 1)"),
            changed(merge, FOUND, f"{FOUND} and place + 2 < len(ids)"),
            _last_doubled,
        ),
        EMPTY_OR_SINGLE.by(
            changed(merge, "merged, after = [], 0", "ids[0], ids[1]; merged, after = [], 0"),
            changed(merge, "merged, after = [], 0", "ids[0]; merged, after = [], 0"),
            changed(merge, "return merged", "return merged if len(ids) > 1 else []"),
            changed(merge, "return merged", "return merged if len(ids) > 1 else None"),
        ),
        Misconception(
            "left-symbol-is-enough",
            any_of(
                changed(merge, FOUND, "ids[place] == pair[0]"),
                changed(merge, FOUND, "ids[place] == pair[0] and pair[1] in ids[place + 1 :]"),
                lambda ids, pair, new: [new if i == pair[0] else i for i in ids if i != pair[1]],
                lambda ids, pair, new: [new if i in pair else i for i in ids],
            ),
            "Yours merges symbols that are alone, or not next to each other. What makes two "
            "symbols a pair?",
        ),
        Misconception(
            "new-symbol-put-in",
            any_of(_new_beside_the_pair, _pair_removed),
            "The pair is still there next to the new symbol, or gone without one. Which of the "
            "three symbols should be left?",
        ),
        IDS_AS_TEXT.by(_as_text),
        RESULT_KEPT.by(_itself_if_nothing_changes),
    ),
    compare=equal(),
)
