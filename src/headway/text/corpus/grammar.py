"""Weighted grammars: a few rules that write sentences, and say how likely each is.

    rules = {"START": "show me my WHAT please", "WHAT": {"files": 0.6, "photos": 0.4}}

A word that is the name of a rule is replaced by one of the rule's expansions, each with its
probability; every other word stands for itself. A rule may be one expansion, a tuple of
equally likely ones, or a dict of expansions with weights. "" expands to nothing.
"""

from itertools import accumulate, product
from math import prod

import numpy as np

Rule = str | tuple[str, ...] | dict[str, float]


class Grammar:
    """A grammar without recursion; sentences begin at the rule START.

    Args:
        rules: name → expansion(s), as above. Weights need not sum to one.

    Raises:
        ValueError: if there is no START, a rule has no expansion or a weight that is not
            positive, or a rule leads back to itself.
    """

    def __init__(self, rules: dict[str, Rule]):
        if "START" not in rules:
            raise ValueError(f"a grammar begins at START; got only {sorted(rules)}")
        self.rules = {name: weighted(name, rule) for name, rule in rules.items()}
        self._check_finite("START", ())
        self._reached = {
            name: (tuple(expansions), tuple(accumulate(expansions.values())))
            for name, expansions in self.rules.items()
        }

    def sample(self, rng: np.random.Generator, count: int) -> list[str]:
        """Draw sentences independently of each other; a sentence may come again.

        Args:
            rng: one number is drawn for each rule that is used, from left to right.
            count: how many.

        Returns:
            list of `count` sentences, words parted by single spaces.
        """
        return [" ".join(self._expand("START", rng)) for _ in range(count)]

    def probabilities(self) -> dict[str, float]:
        """Every sentence of the grammar with its exact probability; they sum to one."""
        return self._all("START")

    def _expand(self, word: str, rng: np.random.Generator) -> list[str]:
        if word not in self._reached:
            return [word]
        expansions, reached = self._reached[word]
        draw = rng.random()
        chosen = next((e for e, r in zip(expansions, reached, strict=True) if draw < r), None)
        words = (expansions[-1] if chosen is None else chosen).split()
        return [written for part in words for written in self._expand(part, rng)]

    def _all(self, word: str) -> dict[str, float]:
        if word not in self.rules:
            return {word: 1.0}
        total: dict[str, float] = {}
        for expansion, weight in self.rules[word].items():
            choices = [self._all(part).items() for part in expansion.split()]
            for parts in product(*choices):
                sentence = " ".join(text for text, _ in parts if text)
                share = weight * prod(probability for _, probability in parts)
                total[sentence] = total.get(sentence, 0.0) + share
        return total

    def _check_finite(self, word: str, path: tuple[str, ...]) -> None:
        if word in path:
            raise ValueError(f"rule {word} leads back to itself: {' → '.join((*path, word))}")
        for expansion in self.rules.get(word, ()):
            for part in expansion.split():
                self._check_finite(part, (*path, word))


def weighted(name: str, rule: Rule) -> dict[str, float]:
    """A rule as expansions with probabilities that sum to one."""
    if isinstance(rule, str):
        rule = (rule,)
    weights = dict(rule) if isinstance(rule, dict) else dict.fromkeys(rule, 1.0)
    if not weights or not all(weight > 0 for weight in weights.values()):
        raise ValueError(f"rule {name} needs expansions with positive weights, got {rule!r}")
    total = sum(weights.values())
    return {expansion: weight / total for expansion, weight in weights.items()}
