"""Stretch: the best of n answers by a reward, how far that strays, and what it is truly worth."""

import numpy as np

from headway.tasks.engine.compare import close
from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.mistakes import seen
from headway.tasks.engine.task import Case, Task

TIES, IMPOSSIBLE, MANY = "equal rewards", "an answer that never comes", "the best of very many"


def best_of_n(log_probabilities, reward, truth, n):
    """Log-probabilities (K,) of what is chosen, its divergence in nats, reward and truth."""
    p, reward = np.exp(log_probabilities), np.asarray(reward, dtype=float)
    at_most = np.array([p[reward <= r].sum() for r in reward])
    below = np.array([p[reward < r].sum() for r in reward])
    of_value = np.minimum(at_most, 1.0) ** n - below**n
    share = p / (at_most - below + (p == 0))
    chosen = of_value * share
    there = chosen > 0
    divergence = (chosen[there] * np.log(chosen[there] / p[there])).sum()
    return chosen, divergence, chosen @ reward, chosen @ np.asarray(truth, dtype=float)


def cases(rng: np.random.Generator) -> list[Case]:
    def draw(label, K, n, ties=False, never=0, **options):
        p = rng.dirichlet(np.full(K, 1.5))
        reward = rng.permutation(K).astype(float) - 1.5
        if ties:
            reward = np.floor(reward / 2)
        truth = np.round(rng.normal(size=K), 2)
        if never:
            p[rng.permutation(K)[:never]] = 0.0
            p /= p.sum()
        with np.errstate(divide="ignore"):
            return Case(label, np.log(p), reward, truth, n, **options)

    def hardly_ever(case):
        """Whether the share of some answer is too small for a number, so that it is 0."""
        return (best_of_n(*case.inputs)[0] == 0).any()

    return [
        draw("the best of two", 4, 2, core=True),
        draw("the best of some", 6, int(rng.integers(3, 6)), core=True),
        draw("the first that comes", 5, 1),
        draw(TIES, 8, 3, ties=True, path="ties"),
        draw("equal rewards, the first that comes", 7, 1, ties=True, path="ties"),
        draw(IMPOSSIBLE, 6, 3, never=2),
        draw_until(hardly_ever, lambda: draw(MANY, 5, 400)),
        draw("two answers", 2, 5),
        draw("one answer", 1, 3),
    ]


def _first_wrong(*places):
    """Of the four results, the first that is wrong is one of these."""

    def shows(got, expected, case):
        pairs = enumerate(zip(got, expected, strict=True))
        wrong = [at for at, (mine, right) in pairs if not np.allclose(mine, right, atol=1e-6)]
        return wrong[0] in places

    return shows


best_of_n_task = Task(
    id="17-answering/best-of-n",
    title="The best of n, and what it is worth",
    kind="stretch",
    points=4,
    minutes=30,
    answer="best_of_n",
    cases=cases,
    reference=best_of_n,
    misconceptions=(
        seen(
            "ties-unshared",
            "Where several answers have the same reward, they don't share what falls to it as "
            "they should. Which of n equally good answers is kept, and how often is it each?",
            only_at=(TIES, "equal rewards, the first that comes"),
        ),
        seen(
            "what-never-comes",
            "Only an answer that never comes, or hardly ever, goes wrong. What is its share, and "
            "what does it add to a divergence?",
            lambda got, expected, case: bool(np.isnan(got[1])),
            only_at=(IMPOSSIBLE,),
        ),
        seen(
            "another-choice",
            "Your probabilities are not those of the best of n. Take two answers and n = 2: in "
            "which of the four draws is the better one kept, and what do your two add up to?",
            _first_wrong(0),
        ),
        seen(
            "another-mean",
            "Your probabilities are right, and a number that you make of them isn't. Whose "
            "probabilities weigh its terms, and is it the sum that is asked for, or only a bound?",
            _first_wrong(1, 2, 3),
        ),
    ),
    compare=close(atol=1e-6, rtol=1e-6),
    excused=("kind-of-numbers", "overflow"),  # of probabilities
)
