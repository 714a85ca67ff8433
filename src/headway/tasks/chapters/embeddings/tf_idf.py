"""Build TF-IDF from documents of words, with dictionaries."""

import math
from collections import Counter

import numpy as np

from headway.tasks.chapters.embeddings.mistakes import (
    ANOTHER_LOGARITHM,
    COUNT_DAMPED,
    DIVIDED_BY_THE_LENGTH,
    NO_LOGARITHM,
    OCCURRENCES_FOR_DOCUMENTS,
    QUOTIENT_INVERTED,
    RARITY_ALONE,
    SMOOTHED_QUOTIENT,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task

WORDS = (
    *("tea", "Tea", "rain", "snow", "müsli", "naïve", "café", "茶", "bread", "milk", "fog", "ice"),
    *("don't", "e-mail", "1984", "ð", "sun", "wind", "jam", "oats"),
)


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


def tf_idf_cases(rng: np.random.Generator) -> list[Case]:
    def draw(*lengths, of=8):
        words = [WORDS[i] for i in rng.permutation(len(WORDS))[:of]]
        return [[words[int(of * rng.random() ** 2)] for _ in range(n)] for n in lengths]

    def told_apart(*lengths):
        """Documents in which a word stands repeatedly, and no two ways to count agree."""
        documents = draw(*lengths)
        rare = next(word for word in WORDS if all(word not in d for d in documents))
        documents[1] = [rare, *documents[1], rare, rare]
        documents[2] = [*documents[2], rare]
        return documents

    common = draw(4, 6, 3)
    everywhere = next(word for word in WORDS if all(word not in d for d in common))
    common = [[everywhere, *document] for document in common]
    return [
        Case("five documents", told_apart(9, 5, 12, 3, 7), core=True),
        Case("a word in every document", common),
        Case("an empty document", [*told_apart(6, 4, 5), []]),
        Case("a single document", draw(6)),
        Case("the same document twice", [*(draw(5) * 2), *draw(4)]),
        Case("no documents", []),
    ]


COUNT, IDF = "n * math.log", "math.log(len(documents) / having[word])"
HAVING = "Counter(word for document in documents for word in set(document))"

tf_idf_task = Task(
    id="06-embeddings/tf-idf",
    title="Words that tell one document from the others",
    kind="build",
    points=2,
    minutes=12,
    answer="tf_idf",
    cases=tf_idf_cases,
    reference=tf_idf,
    misconceptions=(
        NO_LOGARITHM.by(changed(tf_idf, IDF, "len(documents) / having[word]", "1 / having[word]")),
        OCCURRENCES_FOR_DOCUMENTS.by(changed(tf_idf, "set(document)", "document")),
        ANOTHER_LOGARITHM.by(
            changed(tf_idf, IDF, IDF.replace("log", "log2"), IDF.replace("log", "log10"))
        ),
        QUOTIENT_INVERTED.by(
            changed(tf_idf, "len(documents) / having[word]", "having[word] / len(documents)")
        ),
        DIVIDED_BY_THE_LENGTH.by(
            changed(
                tf_idf,
                COUNT,
                "n / len(document) * math.log",
                "n / max(counts.values()) * math.log",
                "n / len(counts) * math.log",
                "n / math.sqrt(sum(m * m for m in counts.values())) * math.log",
            )
        ),
        SMOOTHED_QUOTIENT.by(
            changed(
                tf_idf,
                IDF,
                "math.log((1 + len(documents)) / (1 + having[word]))",
                "(math.log((1 + len(documents)) / (1 + having[word])) + 1)",
                f"({IDF} + 1)",
                "math.log(1 + len(documents) / having[word])",
                "math.log(len(documents) / (1 + having[word]))",
            )
        ),
        RARITY_ALONE.by(changed(tf_idf, COUNT, "math.log")),
        COUNT_DAMPED.by(
            changed(tf_idf, COUNT, "math.log(1 + n) * math.log", "(1 + math.log(n)) * math.log")
        ),
        Misconception(
            "counts-alone",
            changed(tf_idf, f"n * {IDF}", "n", "n / len(document)"),
            "A common word weighs as much as a rare one: you count within the document, and the "
            "other documents play no part. Which factor is missing?",
        ),
        Misconception(
            "documents-miscounted",
            any_of(
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
            "Your quotient counts something else than documents, or not all of them: words, "
            "documents that are not empty, different ones. What is counted above the line, and "
            "what below?",
        ),
        Misconception(
            "zero-weights-dropped",
            changed(
                tf_idf,
                "in counts.items()",
                "in counts.items() if having[word] < len(documents)",
            ),
            "Words that weigh 0 are missing from your dictionaries. Which words does the text ask "
            "for?",
        ),
        Misconception(
            "words-of-all-documents",
            changed(
                tf_idf,
                "for word, n in counts.items()",
                "for word in having for n in [counts[word]]",
            ),
            "Your dictionaries hold words that their document does not have. What does a document "
            "that has few words need?",
        ),
        Misconception(
            "words-changed",
            changed(
                tf_idf,
                "    having =",
                "    documents = [[word.lower() for word in d] for d in documents]\n    having =",
                "    documents = [[w for w in d if w.isalpha()] for d in documents]\n    having =",
                "    documents = [[w for w in d if w.isascii()] for d in documents]\n    having =",
            ),
            "Your words are no longer those that were handed over: capitals, signs or whole words "
            "are gone. Who decided what a word is, here?",
        ),
        Misconception(
            "one-table-for-all",
            lambda documents: {
                word: sum(d.count(word) for d in documents)
                * math.log(len(documents) / sum(word in d for d in documents))
                for word in {word for d in documents for word in d}
            },
            "You give one dictionary for all documents. Does a word weigh the same in each?",
        ),
        Misconception(
            "empty-document-dropped",
            changed(tf_idf, "return weights", "return [w for w in weights if w]"),
            "There are fewer dictionaries than documents. What belongs to a document without words?",
        ),
    ),
    compare=close(atol=1e-9),
)
