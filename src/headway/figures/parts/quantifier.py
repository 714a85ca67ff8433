"""How often a sentence says that something is so, and when what was tried agrees with it.

A sentence about *all* cases falls with one counterexample; one about *some* cases stands with one
example. So the author says which it is, and the verdict follows from the cases.
"""

from collections.abc import Callable
from dataclasses import dataclass

HOLDS, FAILS = "holds", "does not hold"
NOT_ALWAYS, NOT_USUALLY = "does not always hold", "does not usually hold"


@dataclass(frozen=True)
class Quantifier:
    """One of `QUANTIFIERS`.

    Attributes:
        agrees: whether the sentence is true, where what it speaks of was so in a share of the
            cases between 0 and 1.
        takes: what it takes for the sentence to be true.
        partly: the verdict where the sentence is not true, and yet some cases are for it.
        words: what is said of a case for the sentence and of one against it.
    """

    agrees: Callable[[float], bool]
    takes: str
    partly: str = FAILS
    words: tuple[str, str] = ("holds", "fails")

    def verdict(self, share: float, at_all: bool) -> str:
        """The verdict on a sentence.

        Args:
            share: of the cases, in which it was so.
            at_all: whether anything that was tried, and be it one seed, is for it.
        """
        if self.agrees(share):
            return HOLDS
        return self.partly if at_all else FAILS


QUANTIFIERS = {
    "always": Quantifier(lambda share: share == 1, "one exception refutes it", partly=NOT_ALWAYS),
    "usually": Quantifier(
        lambda share: share > 0.5, "more than half of what was tried has to agree", NOT_USUALLY
    ),
    "sometimes": Quantifier(lambda share: share > 0, "one case that agrees is enough"),
    "never": Quantifier(
        lambda share: share == 0, "one case refutes it", words=("does not happen", "happens")
    ),
}
