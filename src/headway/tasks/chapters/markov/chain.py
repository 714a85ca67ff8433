"""Build a chain of any order out of dictionaries."""

import numpy as np

from headway.tasks.chapters.markov.mistakes import (
    ACROSS_BOUNDARIES,
    ANOTHER_CONTEXT,
    BOUNDARY_MISSING,
    BOUNDARY_TWICE,
    COUNTS_IGNORED,
    EMPTY_SENTENCE_DROPPED,
    NOT_NORMALIZED,
    WINNER_TAKES_ALL,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.probe.calls import use, use_then_look
from headway.tasks.engine.requirements import arguments_kept
from headway.tasks.engine.task import Case, Task

BOUNDARY, WEIGHTS = "<b>", "how much a sentence counts"


class CountedChain:
    """Counts of what follows each context, the contexts as tuples of n words."""

    def __init__(self, log, order):
        self.order, self.counts = order, {}
        for sentence, times in log:
            text = [*sentence, BOUNDARY]
            for t, word in enumerate(text):
                row = self.counts.setdefault(self.context(text[:t]), {})
                row[word] = row.get(word, 0) + times

    def context(self, words):
        padded = [BOUNDARY] * self.order + list(words)
        return tuple(padded[len(padded) - self.order :])

    def __len__(self):
        return len(self.counts)

    def predict(self, words):
        row = self.counts.get(self.context(words), {})
        total = sum(row.values())
        return {word: count / total for word, count in row.items()}


def chain_cases(rng: np.random.Generator) -> list[Case]:
    def weighted(*texts):
        """The texts as words, in any order, said up to four times each."""
        return [(texts[i].split(), int(rng.integers(1, 5))) for i in rng.permutation(len(texts))]

    down, ran = "check whether the battery ran down please", "check whether the program ran please"
    log = [(down.split(), int(rng.integers(2, 20))), (ran.split(), int(rng.integers(20, 40)))]
    a, b, c, d = (str(word) for word in rng.permutation(["où", "été", "naïve", "façade"]))
    mixed = weighted(f"{a} {b} {c}", f"{b} {a} {d}", f"{d} {b} {a} {d}", f"{a} {b} {c} {c}")
    return [
        Case(
            "order 2",
            (log, 2),
            ("predict", ["battery", "ran"]),
            ("predict", ["check", "whether", "the", "program", "ran"]),
            ("predict", ["whether", "the"]),
            core=True,
        ),
        Case("order 1", (log, 1), ("predict", ["the", "program", "ran"]), ("__len__",), core=True),
        Case("the start of a sentence", (mixed, 2), ("predict", []), ("predict", [a])),
        Case("the end of a sentence", (mixed, 1), ("predict", [a, b, c]), ("predict", [d])),
        Case("two words in either order", (mixed, 2), ("predict", [a, b]), ("predict", [d, b, a])),
        Case("order 0", (mixed, 0), ("predict", [b]), ("predict", []), ("__len__",)),
        Case(
            "order 3, and shorter sentences",
            ([([a], 2), ([a, b], 1), ([c, a, b], 3), ([], 4)], 3),
            ("predict", [a]),
            ("predict", [c, a, b]),
            ("predict", []),
            ("__len__",),
        ),
        Case(
            "a context never seen",
            (mixed, 2),
            ("predict", [c, a]),
            ("predict", ["cactus"]),
            ("__len__",),
        ),
        Case(
            "words that look alike when glued",
            (weighted("right now here we are", "there is no where to go", "be here now"), 2),
            ("predict", ["now", "here"]),
            ("predict", ["no", "where"]),
        ),
        Case(
            "a sentence that stands there twice",
            ([([a, b], 3), ([a, c], 2), ([a, b], 4)], 1),
            ("predict", [a]),
            ("__len__",),
            path=WEIGHTS,
        ),
        Case(
            "sentences that count for a half",
            ([([a, b], 2.5), ([a, c, b], 0.5), ([b], 0.25)], 1),
            ("predict", [a]),
            ("predict", []),
            path=WEIGHTS,
        ),
        arguments_kept(
            (weighted(f"{a} {b}", f"{b} {c} {a}"), 3),
            ("predict", [a]),
            ("predict", []),
            verb=use_then_look,
        ),
    ]


class AsksForLess(CountedChain):
    """Leaves out first words until the context is known."""

    def predict(self, words):
        return super().predict(words) or (self.predict(words[1:]) if words else {})


class BacksOff(CountedChain):
    """Looks a context that it does not know up in the chain of the order below."""

    def __init__(self, log, order):
        super().__init__(log, order)
        self.below = BacksOff(log, order - 1) if order else None

    def predict(self, words):
        return super().predict(words) or (self.below.predict(words) if self.below else {})


class CountsShorterOnes(CountedChain):
    """Counts contexts of fewer words as well, as the page does for its mixture."""

    def __init__(self, log, order):
        super().__init__(log, order)
        for n in range(order):
            self.counts |= CountedChain(log, n).counts


def once_each(chain):
    """A chain that counts each entry of the log once, as the page counts texts."""
    return lambda log, order: chain([(sentence, 1) for sentence, _ in log], order)


def spelled_out(chain):
    """A chain that counts a sentence as often as it was said, and a half cannot be."""
    return lambda log, order: chain([(s, 1) for s, times in log for _ in range(times)], order)


def with_another_mark(chain):
    """A chain whose boundary is the empty string, as on the page."""

    class Marked(chain):
        def predict(self, words):
            return {w if w != BOUNDARY else "": p for w, p in super().predict(words).items()}

    return Marked


def one_long_text(log, order):
    made, before = CountedChain([], order), []
    for sentence, times in log:
        for word in [*sentence, BOUNDARY]:
            row = made.counts.setdefault(made.context(before), {})
            row[word] = row.get(word, 0) + times
            before.append(word)
    return made


TEXT = "[*sentence, BOUNDARY]"
KEY = "tuple(padded[len(padded) - self.order :])"
ASKED = "self.context(words)"
ROW = "self.counts.get(self.context(words), {})"
COUNT = "row.get(word, 0) + times"

(one_start_for_all_orders,) = changed(
    CountedChain,
    """[BOUNDARY] * self.order + list(words)
        return tuple(padded[len(padded) - self.order :])""",
    """[BOUNDARY, *words]
        return tuple(padded[max(len(padded) - self.order, 0) :])""",
)

plain_and_marked = [
    chain
    for plain in (CountedChain, CountsShorterOnes)
    for chain in (plain, with_another_mark(plain))
]

chain = Task(
    id="02-markov/chain",
    title="A chain of any order",
    kind="build",
    points=3,
    minutes=20,
    answer="Chain",
    verb=use,
    cases=chain_cases,
    reference=CountedChain,
    misconceptions=(
        Misconception(
            "contexts-confused",
            any_of(
                changed(CountedChain, "self.context(text[:t])", "self.context(text[:t])[::-1]"),
                changed(
                    CountedChain,
                    KEY,
                    "''.join(padded[len(padded) - self.order :])",
                    "tuple(sorted(padded[len(padded) - self.order :]))",
                ),
            ),
            "Your chain takes different contexts for the same, or one for another. Does it tell "
            "“ran the” from “the ran”, and “now here” from “no where”?",
        ),
        BOUNDARY_MISSING.by(
            changed(CountedChain, "in enumerate(text)", "in list(enumerate(text))[self.order :]"),
            changed(
                one_start_for_all_orders,
                "in enumerate(text)",
                "in list(enumerate(text))[max(self.order - 1, 0) :]",
            ),
            changed(
                CountedChain,
                ASKED,
                "tuple(words[max(len(words) - self.order, 0) :])",
                "tuple(words[-self.order :])",
                "tuple([BOUNDARY, *words][max(len(words) + 1 - self.order, 0) :])",
            ),
            changed(
                CountedChain, TEXT, "sentence", f"{TEXT} if sentence is log[-1][0] else sentence"
            ),
            changed(CountedChain, "in row.items()}", "in row.items() if word != BOUNDARY}"),
            changed(
                CountedChain,
                ROW,
                f"{ROW}\n        row = {{w: row[w] for w in row if w != BOUNDARY}}",
            ),
        ),
        BOUNDARY_TWICE.by(
            changed(CountedChain, TEXT, "[*sentence, *[BOUNDARY] * max(self.order, 1)]")
        ),
        ACROSS_BOUNDARIES.by(one_long_text),
        Misconception(
            "minus-zero-slice",
            any_of(
                changed(CountedChain, KEY, "tuple(padded[-self.order :])"),
                changed(
                    CountedChain,
                    ASKED,
                    "tuple(([BOUNDARY] * self.order + words)[-self.order :])",
                ),
            ),
            "This is right for every order but 0. What does Python return for the last n items of "
            "a list, cut from minus n, if n is 0?",
        ),
        ANOTHER_CONTEXT.by(
            changed(
                CountedChain,
                ASKED,
                "self.context(words[: self.order])",
                "tuple(([BOUNDARY] * self.order + list(words))[: self.order])",
            ),
            changed(CountedChain, KEY, "tuple(padded[: self.order])"),
            changed(CountedChain, ASKED, "(*[BOUNDARY] * (self.order - len(words)), *words)"),
            lambda log, order: CountedChain(log, max(order - 1, 0)),
            lambda log, order: CountedChain(log, min(order, 1)),
            lambda log, order: CountedChain(log, order + 1),
        ),
        EMPTY_SENTENCE_DROPPED.by(
            changed(CountedChain, "in log:", "in [entry for entry in log if entry[0]]:")
        ),
        COUNTS_IGNORED.by(
            changed(CountedChain, COUNT, "1", "times"),
            changed(CountedChain, "in log:", "in {tuple(one[0]): one for one in log}.values():"),
            *map(once_each, plain_and_marked),
        ),
        Misconception(
            "halves-lost",
            any_of(
                changed(CountedChain, COUNT, "row.get(word, 0) + int(times)"),
                changed(CountedChain, COUNT, "row.get(word, 0) + round(times)"),
                *map(spelled_out, plain_and_marked),
            ),
            "You count sentences one by one, or round how much they count. What should a sentence "
            "add to a count that counts for a half?",
        ),
        NOT_NORMALIZED.by(
            changed(CountedChain, "count / total", "count"),
            changed(
                CountedChain,
                "sum(row.values())",
                "sum(count for row in self.counts.values() for count in row.values())",
                "max(len(row), 1)",
            ),
        ),
        WINNER_TAKES_ALL.by(
            changed(
                CountedChain,
                "{word: count / total for word, count in row.items()}",
                "{max(row, key=row.get): 1.0} if row else {}",
            )
        ),
        Misconception(
            "unseen-context-answered",
            any_of(
                AsksForLess,
                BacksOff,
                changed(CountedChain, "in row.items()}", "in row.items()} or None"),
                changed(
                    CountedChain,
                    ROW,
                    "self.counts[self.context(words)]",
                    f"{ROW} or self.counts.get(self.context([]), {{}})",
                    f"{ROW} or dict.fromkeys([w for row in self.counts.values() for w in row], 1)",
                ),
            ),
            "A context that was never seen raises an exception, gets None, or gets a "
            "distribution. What does the task ask for here?",
        ),
        Misconception(
            "another-mark",
            with_another_mark(CountedChain),
            "Your sentences end with another mark than the task's. Which string stands for the "
            "boundary here?",
        ),
        Misconception(
            "length-miscounted",
            any_of(
                changed(CountedChain, "self.counts.get(", "self.counts.setdefault("),
                changed(CountedChain, "len(self.counts)", "sum(map(len, self.counts.values()))"),
                CountsShorterOnes,
                with_another_mark(CountsShorterOnes),
            ),
            "Your length is not the number of contexts that were seen. Which of your steps add to "
            "it, and does a question about a context count?",
        ),
    ),
    compare=close(atol=1e-6),
)
