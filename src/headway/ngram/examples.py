"""What a trained lookup learns from: the features before a word, and the word that came next.

The votes of the features are counted (`skipbigram`); how much each should weigh is learned from
examples. An example is a place in a text: the row numbers of the features that are present
there, and the id of what follows. Shapes: B examples, up to N features in each.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from headway.ngram.skipbigram import SkipBigrams
from headway.text.vocabulary import check_ids


class Examples(NamedTuple):
    """Places in a text, as arrays.

    Attributes:
        features: int64 (B, N), row numbers of `SkipBigrams.votes`; 0 where there is padding.
        present: bool (B, N), False for the padding.
        targets: int64 (B,), the id of the next word, V at the end of a sentence.
    """

    features: np.ndarray
    present: np.ndarray
    targets: np.ndarray


def examples_after(model: SkipBigrams, sentences: Iterable[Sequence[int]], word: int) -> Examples:
    """Every place in the sentences where the latest word is `word`.

    Args:
        model: says which features there are.
        sentences: sequences of ids, each in 0 … V−1.
        word: an id.

    Raises:
        IndexError: if an id is not in 0 … V−1.
    """
    check_ids([word], model.size)
    rows, targets = [], []
    for sentence in sentences:
        text = [*check_ids(sentence, model.size), model.size]
        for place in range(len(text) - 1):
            if text[place] == word:
                rows.append(model.features(text[: place + 1]))
                targets.append(text[place + 1])
    lengths = np.array([len(row) for row in rows], dtype=np.int64)
    present = np.arange(lengths.max(initial=0)) < lengths[:, None]
    features = np.zeros(present.shape, dtype=np.int64)
    if rows:
        features[present] = np.concatenate(rows)
    return Examples(features, present, np.array(targets, dtype=np.int64))
