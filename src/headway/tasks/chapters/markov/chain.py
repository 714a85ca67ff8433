"""Build a chain of any order out of dictionaries."""

import numpy as np

from headway.tasks.chapters.markov import chains
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.probe import use
from headway.tasks.engine.task import Case, Task


def chain_cases(rng: np.random.Generator) -> list[Case]:
    def shuffled(*texts):
        return [texts[i].split() for i in rng.permutation(len(texts))]

    down, ran = "check whether the battery ran down please", "check whether the program ran please"
    log = shuffled(*[down] * int(rng.integers(2, 5)), *[ran] * int(rng.integers(3, 6)))
    a, b, c, d = (str(word) for word in rng.permutation(["où", "été", "naïve", "façade"]))
    mixed = shuffled(f"{a} {b} {c}", f"{b} {a} {d}", f"{d} {b} {a} {d}", f"{a} {b} {c} {c}")
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
            ([[a], [a, b], [c, a, b], []], 3),
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
            (shuffled("right now here we are", "there is no where to go", "be here now"), 2),
            ("predict", ["now", "here"]),
            ("predict", ["no", "where"]),
        ),
    ]


chain = Task(
    id="02-markov/chain",
    title="A chain of any order",
    kind="build",
    points=3,
    minutes=20,
    answer="Chain",
    probe=use,
    cases=chain_cases,
    reference=chains.CountedChain,
    misconceptions=(
        Misconception(
            "key-order-swapped",
            chains.Swapped,
            "You count with the words of a context in one order and look them up in the other. "
            "Which of the two words is the later one?",
        ),
        Misconception(
            "start-lost",
            chains.StartLost,
            "You count only where n words stand before. What is known about the first words of a "
            "sentence, when fewer have been said?",
        ),
        Misconception(
            "one-start-for-all-orders",
            chains.OneStart,
            "You put one boundary before each sentence. Does the first word of a sentence then "
            "have a context of two symbols?",
        ),
        Misconception(
            "tail-lost",
            chains.TailLost,
            "The last word of a sentence is followed by nothing in your counts, so the chain "
            "never learns to stop. What comes after it?",
        ),
        Misconception(
            "end-of-text-only",
            chains.EndOfTextOnly,
            "Only the last sentence of the text has an end in your counts. What comes after the "
            "last words of the others?",
        ),
        Misconception(
            "several-ends",
            chains.ManyEnds,
            "You put as many boundaries behind a sentence as before it. How many of them must be "
            "predicted before the sentence is known to be over?",
        ),
        Misconception(
            "counts-across-boundaries",
            chains.AcrossBoundaries,
            "The context of a first word holds words of the sentence before. In which order did "
            "the sentences happen to stand?",
        ),
        Misconception(
            "words-glued",
            chains.Glued,
            "Your key for a context is one text without borders. Do “now here” and “no where” "
            "have different keys?",
        ),
        Misconception(
            "order-of-words-lost",
            chains.Unordered,
            "Contexts of the same words in another order share one row of yours. Is “ran the” the "
            "same as “the ran”?",
        ),
        Misconception(
            "minus-zero-slice",
            chains.MinusZero,
            "Right for every order but 0. What does Python give you for the last zero items of a "
            "list, if you cut it from minus zero?",
        ),
        Misconception(
            "minus-zero-when-asked",
            chains.MinusZeroWhenAsked,
            "Your counts are right, and so are your answers for every order but 0. What does "
            "Python give you for the last zero items of a list, if you cut it from minus zero?",
        ),
        Misconception(
            "not-filled-up-when-asked",
            chains.NotFilledUpWhenAsked,
            "Your counts are right. But when you are asked with fewer than n words, you look them "
            "up as they are. What stood before them when you counted?",
        ),
        Misconception(
            "last-words-only",
            chains.LastWordsOnly,
            "Your counts are right. When you are asked, you cut the last n words and look them up. "
            "What do you get if fewer were said, and what if n is 0?",
        ),
        Misconception(
            "first-words-for-last",
            chains.FirstWords,
            "You look at the first words of what you are given. Which of its words come right "
            "before the next one?",
        ),
        Misconception(
            "whole-prefix-as-context",
            chains.WholePrefix,
            "You look up everything that was said so far. How many words back does a chain of "
            "order n look?",
        ),
        Misconception(
            "counts-for-probabilities",
            chains.Counts,
            "These are counts. What must the values of a distribution sum to?",
        ),
        Misconception(
            "divided-by-everything",
            chains.OfEverything,
            "You divide by all that was counted in the whole text. Which part of it followed this "
            "context?",
        ),
        Misconception(
            "most-likely-only",
            chains.Greedy,
            "You give the most frequent symbol the probability 1. What about the others that "
            "followed this context?",
        ),
        Misconception(
            "unseen-raises",
            chains.UnseenRaises,
            "A context that was never seen ends your program. What is asked for there?",
        ),
        Misconception(
            "unseen-uniform",
            chains.UnseenUniform,
            "For a context that was never seen you name all symbols, equally likely. What is asked "
            "for there?",
        ),
        Misconception(
            "shorter-context-for-unseen",
            chains.BacksOff,
            "For a context that was never seen you fall back on a shorter one. That is often a "
            "good idea; what is asked for here?",
        ),
        Misconception(
            "grows-when-asked",
            chains.GrowsWhenAsked,
            "After a question about a context that was never seen, your chain has one context "
            "more. Should asking change what was counted?",
        ),
        Misconception(
            "cells-for-contexts",
            chains.CellsForContexts,
            "Your length counts each context as often as there are symbols after it. How many "
            "rows would the table have?",
        ),
        Misconception(
            "one-word-too-few",
            chains.OneTooFew,
            "Your chain looks one word less far back than its order says.",
        ),
        Misconception(
            "always-first-order",
            chains.FirstOrder,
            "Whatever the order, you look at one word. What sets order 2 apart from order 1?",
        ),
    ),
    compare=close(atol=1e-6),
)
