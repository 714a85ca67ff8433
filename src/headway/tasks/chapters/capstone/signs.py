"""What the cost of each byte shows of a model, where its predictions cost too much.

Each sign takes what `fit_then_predict` returns, what it returns for the right model, and the case.
`headway.tasks.engine.naming` asks for signs only where a case fails, and takes a sign that stops at
a refused model for absent.
"""

from collections import defaultdict
from collections.abc import Callable

import numpy as np

from headway.tasks.chapters.capstone.truth import LUCK, OF_ENDINGS, OF_NAMES, Truth
from headway.tasks.engine.task import Case

# In bits a byte.
SAME, SLIGHT, NEAR, CLEAR = 0.001, 0.01, 0.05, 0.15
SURE, CHEAP = 0.25, 2.5  # what a known letter costs if some is left for all; what is not unlikely
UNKNOWN = 1.0  # what half of the letters that alone are possible cost who knows hardly a word
LATE = 2.0  # by chance the byte seen last costs more than 4, and 3 before much is learned
EVEN, FAR = 8.0, 2.0  # if all 256 bytes are equally likely; far more than that

ECHO, ALIKE = 0.5, 1e-6  # probabilities
ROUGHLY = 0.85  # how costs go together
FEW, MUCH, LIKE_OTHERS = 0.05, 0.3, 0.85  # shares: of bytes, of the cost, of a mean
FOUND = 0.4  # share of what chains pay for endings; who knows this sentence alone pays 0.6
CROWDED = 0.25  # costs of known letters with how many texts go on with the same; others reach 0.2
OFTEN = 4  # places of a byte
FARTHEST = 10  # bytes


def refused(*kinds: str):
    """Whether the model was not measured for one of these reasons."""
    return lambda got, expected, case: got["refused"][0] in kinds


def better_than_the_language(got, expected, case: Case) -> bool:
    """Whether the texts cost less than any model of the language can make them."""
    return got["bits"].mean() < case.truth.true.mean() - LUCK


def same_for_all(got, expected, case: Case) -> bool:
    """Whether all texts have the same predictions."""
    return got["apart"] < ALIKE


def unlike_for_like(got, expected, case: Case) -> bool:
    """Whether a text that is the same so far is predicted in different ways, at once or later."""
    return _spread(len, got, case) > SLIGHT or not got["steady"]


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


def shared_by_texts(got, expected, case: Case) -> bool:
    """Whether what comes in many texts at once is dear, and all bytes cost the same at first.

    At first all texts are the same.
    """
    bits, inside = got["bits"], _inside(case.truth)
    following = case.inputs[2][:, 1:]
    texts = (following[:, None] == following).sum(axis=1)  # that go on with the same byte
    crowded = _together(bits[inside], np.log2(texts[inside])) > CROWDED
    return crowded and np.ptp(bits[:, 0]) < SLIGHT


def bytes_not_expected(got, expected, case: Case) -> bool:
    """Whether most that cost far more than if all were as likely are the same, wherever they come.

    Names that come back are left out: who copies them may do without knowing their letters.
    """
    following, anew = case.inputs[2][:, 1:], ~case.truth.again
    dear = got["bits"] > EVEN + FAR
    always = [
        byte
        for byte in np.unique(following)
        if (places := (following == byte) & anew).sum() >= OFTEN and dear[places].all()
    ]
    theirs = np.isin(following, always) & anew
    return theirs.sum() > dear[anew].sum() / 2 and np.median(got["bits"]) < CHEAP


def knows_the_first_story_alone(got, expected, case: Case) -> bool:
    """Whether names and endings are found in the first story of each text, and in no other."""
    first = np.cumsum(case.inputs[2][:, :-1] == ord("\n"), axis=1) == 1
    at_first, later = (
        {part: _share_of(part, got, case, where) for part in ("again", "agrees")}
        for where in (first, ~first)
    )
    found = at_first["again"] < OF_NAMES and at_first["agrees"] < OF_ENDINGS
    return found and later["again"] > 1 and later["agrees"] > 1


def no_better_than_a_chain(got, expected, case: Case) -> bool:
    """Whether neither names nor endings are found, and all bytes cost what chains pay, or more."""
    return _finds_nothing(got, case) and got["bits"].mean() > case.truth.best.mean() - NEAR


def worse_than_one_byte(got, expected, case: Case) -> bool:
    """Whether a chain that sees one byte pays clearly less, and words are not known either."""
    bits = got["bits"]
    known = np.median(bits[_inside(case.truth)])
    return bits.mean() > _by_order(case, 1) + CLEAR and known > UNKNOWN


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


def _share_of(part: str, got, case: Case, where: np.ndarray | bool = True) -> float:
    marked = getattr(case.truth, part) & where
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
