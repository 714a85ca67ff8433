"""What the predictions of a case are measured by, and what is asked of them."""

from typing import NamedTuple

import numpy as np

from headway.tasks.engine.compare import Difference
from headway.tasks.engine.task import Case
from headway.tasks.engine.unseen_text.refusals import ENDED

# Bits a byte below the truth that nobody reaches: by Markov's inequality, any other distribution
# gives a text of N bytes so much with a probability of at most 2 to the power −0.05 N. This holds
# of all bytes only: of names that did come back, whoever was surer that they would pays less.
LUCK = 0.05
# What may be paid, as shares of what the best chain pays. For endings behind names, no chain pays
# less than 0.98, not even one that looks names up: it doesn't know for which noun a name stands.
OF_ENDINGS, OF_ALL, OF_NAMES = 0.6, 0.9, 0.75

# What a case asks about, and how its bytes are called.
ALL, NAMES, ENDINGS = "all", "names", "endings"
CALLED = {
    ALL: "the texts cost",
    NAMES: "names that come back cost",
    ENDINGS: "endings of verbs behind a name cost",
}


class Truth(NamedTuple):
    """What the predictions of a case's texts are measured by; costs are in bits, (B, T − 1).

    Attributes:
        true: what each byte costs whoever knows the language.
        again: whether a byte belongs to a name that has come before.
        agrees: whether it belongs to the ending of a verb whose subject is a name.
        chains: what each byte costs the chain of each order, from 0 on.
        about: the bytes that are asked about: all, those of names, or those of endings.
        limit: the most bits a byte that pass.
        asked: what the limit is, in words.
    """

    true: np.ndarray
    again: np.ndarray
    agrees: np.ndarray
    chains: list[np.ndarray]
    about: str
    limit: float
    asked: str

    @property
    def best(self) -> np.ndarray:
        """What each byte costs the chain that is best at all of them."""
        return min(self.chains, key=np.mean)

    def mean(self, bits: np.ndarray) -> float:
        """Bits a byte of what is asked about."""
        parts = {ALL: np.ones_like(self.again), NAMES: self.again, ENDINGS: self.agrees}
        return float(bits[parts[self.about]].mean())


def cost(got, case: Case) -> float:
    """Bits a byte of what a case asks about."""
    return case.truth.mean(got["bits"])


def beats(got, expected, case: Case) -> Difference | None:
    """Whether the texts cost less than they cost the case's baseline."""
    if "refused" in got:
        kind, said = got["refused"]
        return Difference(said, missing=said.rstrip(".") if kind == ENDED else "")
    paid, needed = got["bits"].mean(), case.truth.true.mean()
    if paid < needed - LUCK:
        return Difference(
            f"{CALLED[ALL]} {paid:.3f} bits a byte. Who knows the language needs {needed:.3f}, and "
            "no model can do with so much less, unless it has met these very texts before."
        )
    reached, truth = cost(got, case), case.truth
    if reached < truth.limit:
        return None
    return Difference(
        f"{CALLED[truth.about]} {reached:.3f} bits a byte; less than {truth.limit:.3f} is asked, "
        f"{truth.asked}. Who knows the language needs {truth.mean(truth.true):.3f}.",
        missing=f"{reached - truth.limit:.2f} bits a byte are missing",
    )
