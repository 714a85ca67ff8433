"""What the predictions of a model show of what it knows, where they cost too much."""

import numpy as np

from headway.tasks.chapters.capstone.truth import Truth, beats
from headway.tasks.engine.task import Case
from headway.tasks.engine.unseen_text.cost import SHARED

EVEN, UNTRAINED, NEAR = 8.0, 4.7, 0.05  # bits a byte
LATE = 3.3  # bits a byte; by chance the byte seen last costs more than 4
ECHO, ALIKE = 0.5, 1e-6  # probabilities
CLOSE, CLEARLY = 0.88, 0.02  # of costs, how they go together


def diagnosis(got, case: Case) -> str:
    """What a model's predictions show in a case: "right", or a kind of failure."""
    if "refused" in got:
        return got["refused"][0]
    if beats(got, None, case) is None:
        return "right"
    if got["shared"]:
        return SHARED
    reached, truth = got["bits"].mean(), case.truth
    if got["last"] > ECHO:
        return "the byte seen last"
    if got["late"] < LATE and reached > truth.chains[0].mean() + NEAR:
        return "one byte late"
    if counts_once(got["bits"], truth):
        return "each run once"
    if abs(reached - truth.chains[0].mean()) < NEAR:
        return "frequencies"
    if got["apart"] < ALIKE and not UNTRAINED < reached < EVEN + NEAR:
        return "one prediction for all texts"
    if reached > UNTRAINED:
        return "not trained"
    if reached > truth.chains[1].mean() - NEAR:
        return "one byte"
    return "not enough" if reached > truth.best.mean() - NEAR else truth.about


def counts_once(bits: np.ndarray, truth: Truth) -> bool:
    """Whether bytes are dear where few kinds followed, and not where it seldom came.

    Names that come back are left out: whoever looks them up needs no counts there.
    """
    skipped = bits.shape[1] - truth.once[0].shape[1]
    asked = ~truth.again[:, skipped:]

    def together(others: list[np.ndarray]) -> float:
        found = [np.corrcoef(bits[:, skipped:][asked], other[asked])[0, 1] for other in others]
        return float(max(found))

    if np.ptp(bits) < NEAR:  # all cost alike, which goes together with nothing
        return False
    once = together(truth.once)
    return once > CLOSE and once > together([c[:, skipped:] for c in truth.chains]) + CLEARLY
