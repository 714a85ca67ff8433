"""What the cost of each byte shows of a model, where its predictions cost too much.

Each sign takes what `fit_then_predict` returns, what it returns for the right model, and the case.
`headway.tasks.engine.naming` asks for signs only where a case fails, and takes a sign that stops at
a refused model for absent.
"""

from collections import defaultdict
from collections.abc import Callable
from functools import partial

import numpy as np

from headway.tasks.chapters.capstone.truth import (
    LUCK,
    OF_ENDINGS,
    OF_NAMES,
    Truth,
    costs_and_needs,
)
from headway.tasks.engine.task import Case

# In bits a byte.
SAME, SLIGHT, NEAR = 0.001, 0.01, 0.05
SURE, CHEAP = 0.25, 2.5  # what a known letter costs if some is left for all; what is not unlikely
LATE = 3.3  # by chance the byte seen last costs more than 4
EVEN, FAR = 8.0, 2.0  # if all 256 bytes are equally likely; far more than that

ECHO, ALIKE = 0.5, 1e-6  # probabilities
CLOSE, CLEARLY, ROUGHLY = 0.84, 0.015, 0.8  # how costs go together
FEW, MUCH, LIKE_OTHERS = 0.05, 0.3, 0.85  # shares: of bytes, of the cost, of a mean
FOUND = 0.4  # share of what chains pay for endings; who knows this sentence alone pays 0.6
FARTHEST = 10  # bytes


def refused(*kinds: str):
    """Whether the model was not measured for one of these reasons."""
    return lambda got, expected, case: got["refused"][0] in kinds


def better_than_the_language(got, expected, case: Case) -> bool:
    """Whether the texts cost less than any model of the language can make them."""
    return any(costs < needs - LUCK for _, costs, needs in costs_and_needs(got, case))


def same_for_all(got, expected, case: Case) -> bool:
    """Whether all texts have the same predictions."""
    return got["apart"] < ALIKE


def unlike_for_like(got, expected, case: Case) -> bool:
    """Whether texts that are the same so far have different predictions."""
    return _spread(len, got, case) > SLIGHT


def others_for_sure(got, expected, case: Case) -> bool:
    """Whether most bytes cost far more than if all were equally likely."""
    return np.median(got["bits"]) > EVEN + FAR


def nothing_learned(got, expected, case: Case) -> bool:
    """Whether all cost as if each symbol were as likely, and known letters cost like others."""
    bits = got["bits"]
    even = np.log2(len(np.unique(case.inputs[0])))
    return (
        bits.mean() > even - NEAR
        and np.quantile(bits, FEW) > CHEAP
        and bits[_inside(case.truth)].mean() > LIKE_OTHERS * bits.mean()
        and not others_for_sure(got, expected, case)
    )


def late(got, expected, case: Case) -> bool:
    """Whether the byte that was seen last is predicted again."""
    by_cost = got["late"] < LATE and got["bits"].mean() > _by_order(case, 0) + NEAR
    return got["last"] > ECHO or by_cost


def counts_once(got, expected, case: Case) -> bool:
    """Whether bytes are dear where few kinds followed, and not where it seldom came.

    Names that come back are left out: whoever looks them up needs no counts there.
    """
    bits, truth = got["bits"], case.truth
    skipped = bits.shape[1] - truth.once[0].shape[1]
    asked = ~truth.again[:, skipped:]
    together = partial(_together, bits[:, skipped:][asked])
    once = max(together(costs[asked]) for costs in truth.once)
    counted = max(together(costs[:, skipped:][asked]) for costs in truth.chains)
    return once > CLOSE and once > counted + CLEARLY


def knows_the_last_byte_alone(got, expected, case: Case) -> bool:
    """Whether one byte or none settles the predictions, or most of what is dear in them."""
    short, *others = (_together(got["bits"].ravel(), c.ravel()) for c in case.truth.chains[1:])
    return knows_a_few_bytes(got, expected, case, most=1) or short > max(ROUGHLY, *others)


def knows_a_few_bytes(got, expected, case: Case, most: int = FARTHEST) -> bool:
    """Whether predictions are the same wherever so many bytes before are."""
    same = (_spread(lambda seen, n=n: n, got, case) < SAME for n in range(most + 1))
    return _finds_nothing(got, case) and any(same)


def knows_the_sentence(got, expected, case: Case) -> bool:
    """Whether predictions are the same wherever the bytes since the last period are."""
    since = _spread(lambda seen: len(seen) - seen.rfind(b"."), got, case)
    return _finds_nothing(got, case) and since < SAME


def even_at_first(got, expected, case: Case) -> bool:
    """Whether all bytes cost the same while all texts are the same."""
    return np.ptp(got["bits"][:, 0]) < SLIGHT


def no_better_than_a_chain(got, expected, case: Case) -> bool:
    """Whether neither names nor endings are found, and all bytes cost what chains pay, or more."""
    return _finds_nothing(got, case) and got["bits"].mean() > case.truth.best.mean() - NEAR


def worse_than_one_byte(got, expected, case: Case) -> bool:
    """Whether a chain that sees one byte pays less."""
    return got["bits"].mean() > _by_order(case, 1) + NEAR


def never_sure(got, expected, case: Case) -> bool:
    """Whether letters that alone are possible are cheaper than others, by much the same, not 0."""
    bits = got["bits"]
    least, middle = np.quantile(bits[_inside(case.truth)], (FEW, 0.5))
    return least > SURE and middle < min(1.5 * least, LIKE_OTHERS * bits.mean())


def few_cost_most(got, expected, case: Case) -> bool:
    """Whether bytes that cost more than if all were equally likely make up much of the cost."""
    bits = got["bits"]
    return bits[bits > EVEN].sum() > MUCH * bits.sum()


def unsure_of_words(got, expected, case: Case) -> bool:
    """Whether letters that alone are possible cost more than they cost the best chain."""
    bits, inside = got["bits"], _inside(case.truth)
    unsure = bits[inside].mean() > case.truth.best[inside].mean() + 5 * NEAR
    return unsure and _share_of("agrees", got, case) > OF_ENDINGS


def surprised_by(part: str, share: float):
    """Whether the bytes of a part cost more than a share of what they cost the best chain."""
    return lambda got, expected, case: _share_of(part, got, case) > share


def _share_of(part: str, got, case: Case) -> float:
    marked = getattr(case.truth, part)
    return got["bits"][marked].mean() / case.truth.best[marked].mean()


def _finds_nothing(got, case: Case) -> bool:
    """Whether names cost what they cost chains, and endings more than those who find them pay.

    Whoever finds a name is right about it, so costs don't show that other texts change it.
    """
    return _share_of("again", got, case) > OF_NAMES and _share_of("agrees", got, case) > FOUND


def _inside(truth: Truth) -> np.ndarray:
    """Where a word has begun that can go on in only one way, whatever came before it."""
    return (truth.true < SLIGHT) & ~truth.again & ~truth.agrees


def _by_order(case: Case, order: int) -> float:
    return case.truth.chains[order].mean()


def _spread(reach: Callable[[bytes], int], got, case: Case) -> float:
    """The largest difference between costs of a byte where the bytes that `reach` counts are equal.

    It is 0 where these bytes alone decide on a prediction.
    """
    found = defaultdict(list)
    for row, costs in zip(map(bytes, case.inputs[2]), got["bits"].tolist(), strict=True):
        for T, cost in enumerate(costs, start=1):
            if (n := reach(row[:T])) <= T:
                found[row[T - n : T + 1]].append(cost)
    return max(max(costs) - min(costs) for costs in found.values())


def _together(some: np.ndarray, others: np.ndarray) -> float:
    """How two lists of costs go together, from −1 to 1; 0 if one hardly varies."""
    if min(map(np.ptp, (some, others))) < NEAR:
        return 0.0
    return float(np.corrcoef(some, others)[0, 1])
