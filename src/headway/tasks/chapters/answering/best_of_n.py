"""Stretch: the best of n answers by a reward, how far that strays, and what it is truly worth."""

import numpy as np

from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception, any_of, changed, seen
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

    return [
        draw("the best of two", 4, 2, core=True),
        draw("the best of some", 6, int(rng.integers(3, 6)), core=True),
        draw("the first that comes", 5, 1),
        draw(TIES, 8, 3, ties=True, path="ties"),
        draw("equal rewards, the first that comes", 7, 1, ties=True, path="ties"),
        draw(IMPOSSIBLE, 6, 3, never=2),
        draw(MANY, 5, 400),
        draw("two answers", 2, 5),
        draw("one answer", 1, 3),
    ]


CHOSEN = "of_value = np.minimum(at_most, 1.0) ** n - below**n"


def _chosen(*answers):
    """Whether the probabilities are those of a wrong answer."""

    def shows(got, expected, case):
        return any(
            np.allclose(got[0], answer(*case.inputs)[0], atol=1e-6) for answer in answers
        ) and not np.allclose(got[0], expected[0], atol=1e-6)

    return shows


def _only(place):
    """The probabilities are right, and of the other results, one is the first to differ."""

    def shows(got, expected, case):
        return [
            at
            for at, (mine, right) in enumerate(zip(got, expected, strict=True))
            if not np.allclose(mine, right, atol=1e-6)
        ][:1] == [place]

    return shows


worst = changed(
    best_of_n,
    CHOSEN,
    "of_value = (1 - below) ** n - (1 - np.minimum(at_most, 1.0)) ** n",
)
powers = changed(
    best_of_n,
    CHOSEN,
    "of_value = (at_most - below) ** n",
    "of_value = (at_most - below) ** n / sum(p**n)",
    "of_value = 1 - (1 - at_most + below) ** n",
    "of_value = n * (at_most - below)",
    "of_value = np.minimum(at_most, 1.0) ** n",
)
greedy = changed(
    best_of_n,
    CHOSEN,
    "of_value = (reward == reward[p > 0].max()) * 1.0",
)
tilted = changed(
    best_of_n,
    "chosen = of_value * share",
    "chosen = p * np.exp(reward * n) / (p * np.exp(reward * n)).sum()",
    "chosen = p * np.exp(reward / n) / (p * np.exp(reward / n)).sum()",
    "chosen = p * np.exp(reward) / (p * np.exp(reward)).sum()",
)

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
        Misconception(
            "another-choice",
            any_of(worst, powers, greedy, tilted),
            "Your probabilities are those of another choice: the worst of n, all n the same, at "
            "least one, always the best there is, or a tilt by the reward. How likely is it that "
            "none of n answers has a higher reward than this one?",
            shows=_chosen(*worst, *powers, *greedy, *tilted),
        ),
        Misconception(
            "ties-unshared",
            any_of(
                changed(best_of_n, "share = p / (at_most - below + (p == 0))", "share = 1.0"),
                changed(
                    best_of_n,
                    "share = p / (at_most - below + (p == 0))",
                    "share = 1 / np.array([(reward == r).sum() for r in reward])",
                ),
            ),
            "Where several answers have the same reward, they don't share what falls to it as "
            "they should. Which of n equally good answers is kept, and how often is it each?",
            only_at=(TIES, "equal rewards, the first that comes"),
        ),
        seen(
            "what-never-comes",
            "Only an answer without a chance goes wrong. What is its share, and what does it add "
            "to a divergence?",
            only_at=(IMPOSSIBLE,),
        ),
        seen(
            "probabilities-that-add-up-otherwise",
            "Your probabilities don't add up to one. What can the best of n answers be, other than "
            "one of these?",
            lambda got, expected, case: abs(np.sum(got[0]) - 1) > 1e-6,
        ),
        Misconception(
            "another-divergence",
            any_of(
                changed(
                    best_of_n,
                    "(chosen[there] * np.log(chosen[there] / p[there])).sum()",
                    "(p[there] * np.log(p[there] / chosen[there])).sum()",
                    "np.log(n) - (n - 1) / n",
                    "(chosen[there] * np.log2(chosen[there] / p[there])).sum()",
                    "(chosen[there] * np.log(p[there] / chosen[there])).sum()",
                )
            ),
            "Your probabilities are right, and the divergence isn't: another direction, sign or "
            "base, or only a bound. Over whose answers is the mean taken?",
            shows=_only(1),
        ),
        seen(
            "another-mean",
            "What is chosen is right, and what it is worth isn't. Which probabilities weigh the "
            "rewards, and which the truth?",
            lambda got, expected, case: (
                _only(2)(got, expected, case) or _only(3)(got, expected, case)
            ),
        ),
        seen(
            "another-answer-chosen",
            "Your probabilities add up to one and are not those of the best of n. Take two answers "
            "and n = 2: in which of the four draws is the better one kept?",
            _only(0),
        ),
    ),
    compare=close(atol=1e-6, rtol=1e-6),
)
