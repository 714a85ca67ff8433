"""Build TF-IDF from documents of words, with dictionaries."""

import math
from collections import Counter
from functools import partial

import numpy as np

from headway.tasks.chapters.embeddings.mistakes import (
    ANOTHER_LOGARITHM,
    ANOTHER_RECIPE,
    NO_LOGARITHM,
    ONE_FACTOR_ALONE,
    QUOTIENT_INVERTED,
)
from headway.tasks.engine.compare import Difference, close
from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task

WORDS = (
    *("tea", "Tea", "rain", "snow", "müsli", "naïve", "café", "茶", "bread", "milk", "fog", "ice"),
    *("don't", "e-mail", "1984", "ð", "sun", "wind", "jam", "oats"),
)
EXACT = close(atol=1e-9)


def tf_idf(documents):
    """A dictionary word → count · ln(N / documents with the word), for each document."""
    having = Counter(word for document in documents for word in set(document))
    weights = []
    for document in documents:
        counts = Counter(document)
        weights.append(
            {word: n * math.log(len(documents) / having[word]) for word, n in counts.items()}
        )
    return weights


def in_proportion(got, expected, case) -> Difference | None:
    """Whether the weights of each document are the right ones but for one factor above 0."""
    try:
        mine, right = ([shared_out(row) for row in rows] for rows in (got, expected))
    except (AttributeError, TypeError, ValueError):
        return EXACT(got, expected, case)
    return EXACT(got, expected, case) if EXACT(mine, right, case) else None


def shared_out(weights: dict) -> dict:
    """Weights divided by the sum of their sizes."""
    total = sum(abs(weight) for weight in weights.values()) or 1
    return {word: weight / total for word, weight in weights.items()}


def tf_idf_cases(rng: np.random.Generator) -> list[Case]:
    def draw(*lengths, of=8):
        words = [WORDS[i] for i in rng.permutation(len(WORDS))[:of]]
        return [[words[int(of * rng.random() ** 2)] for _ in range(n)] for n in lengths]

    def without_a_common_word(draw, *lengths):
        return draw_until(
            lambda documents: not set.intersection(*map(set, documents)), lambda: draw(*lengths)
        )

    def told_apart(*lengths):
        """Documents in which a word stands repeatedly, and no two ways to count agree."""
        documents = draw(*lengths)
        documents[0] += ["Tea", "tea", "don't", "茶"]
        rare = next(word for word in WORDS if all(word not in d for d in documents))
        documents[1] = [rare, *documents[1], rare, rare]
        documents[2] = [*documents[2], rare]
        return documents

    common, (five, four) = draw(4, 6, 3), without_a_common_word(draw, 5, 4)
    everywhere = next(word for word in WORDS if all(word not in d for d in common))
    common = [[everywhere, *document] for document in common]
    return [
        Case(
            "which words tell five documents apart",
            without_a_common_word(told_apart, 9, 5, 12, 3, 7),
            compare=in_proportion,
            core=True,
        ),
        Case(
            "five documents, and how much each word weighs",
            without_a_common_word(told_apart, 8, 6, 10, 4, 7),
        ),
        Case("a word in every document", common),
        Case("an empty document", [*told_apart(6, 4, 5), []]),
        Case("a single document", draw(6)),
        Case("the same document twice", [five, five.copy(), four]),
        Case("no documents", []),
    ]


def with_words(spelled, kept, documents):
    """As the reference, of words that are spelled in another way, or of some of them."""
    return tf_idf([[spelled(word) for word in d if kept(word)] for d in documents])


def one_for_all(documents):
    """A single dictionary, with the weight that a word has in all documents together."""
    having = Counter(word for document in documents for word in set(document))
    counts = Counter(word for document in documents for word in document)
    return {word: n * math.log(len(documents) / having[word]) for word, n in counts.items()}


COUNT, IDF = "n * math.log", "math.log(len(documents) / having[word])"
HAVING = "Counter(word for document in documents for word in set(document))"

tf_idf_task = Task(
    id="06-embeddings/tf-idf",
    title="Words that tell one document from the others",
    kind="build",
    points=2,
    minutes=8,
    answer="tf_idf",
    cases=tf_idf_cases,
    reference=tf_idf,
    misconceptions=(
        NO_LOGARITHM.by(changed(tf_idf, IDF, "len(documents) / having[word]", "1 / having[word]")),
        ANOTHER_LOGARITHM.by(
            changed(tf_idf, IDF, IDF.replace("log", "log2"), IDF.replace("log", "log10"))
        ),
        QUOTIENT_INVERTED.by(
            changed(tf_idf, "len(documents) / having[word]", "having[word] / len(documents)")
        ),
        ANOTHER_RECIPE.by(
            changed(
                tf_idf,
                IDF,
                "math.log((1 + len(documents)) / (1 + having[word]))",
                "(math.log((1 + len(documents)) / (1 + having[word])) + 1)",
                f"({IDF} + 1)",
                "math.log(1 + len(documents) / having[word])",
                "math.log(len(documents) / (1 + having[word]))",
            ),
            changed(
                tf_idf,
                COUNT,
                "math.log(1 + n) * math.log",
                "(1 + math.log(n)) * math.log",
                "n / len(document) * math.log",
                "n / max(counts.values()) * math.log",
                "n / len(counts) * math.log",
                "n / math.sqrt(sum(m * m for m in counts.values())) * math.log",
            ),
        ),
        ONE_FACTOR_ALONE.by(
            changed(tf_idf, COUNT, "math.log"),
            changed(tf_idf, f"n * {IDF}", "n", "n / len(document)"),
        ),
        Misconception(
            "documents-miscounted",
            any_of(
                changed(tf_idf, "set(document)", "document"),
                changed(
                    tf_idf,
                    "len(documents)",
                    "len(having)",
                    "sum(map(len, documents))",
                    "len(document)",
                    "len([d for d in documents if d])",
                    "len({tuple(d) for d in documents})",
                ),
                changed(
                    tf_idf,
                    HAVING,
                    "Counter(word for d in {tuple(d) for d in documents} for word in set(d))",
                ),
            ),
            "Your quotient counts something else than documents, or not all of them. What is "
            "counted above the line, and what below?",
        ),
        Misconception(
            "words-or-documents-changed",
            any_of(
                changed(
                    tf_idf,
                    "in counts.items()",
                    "in counts.items() if having[word] < len(documents)",
                ),
                changed(
                    tf_idf,
                    "for word, n in counts.items()",
                    "for word in having for n in [counts[word]]",
                ),
                partial(with_words, str.lower, str),
                partial(with_words, str, str.isalpha),
                partial(with_words, str, str.isascii),
                one_for_all,
                changed(tf_idf, "return weights", "return [w for w in weights if w]"),
            ),
            "Words or whole dictionaries are missing, too many, or spelled in another way. Which "
            "words does the dictionary of a document hold, and how many dictionaries are there?",
        ),
    ),
    compare=EXACT,
)
