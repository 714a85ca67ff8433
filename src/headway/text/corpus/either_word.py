"""New sentences in which a word goes by the latest word, or by the one before it.

Each word is drawn from those that came right after the latest word of the sentence, or, as often,
from those that came two places after the word before it, whatever was in between. So the words of
a text are used, and what follows what in it, but two words in a row may be ones that it never had.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np


def either_word_sentences(
    rng: np.random.Generator,
    sentences: Iterable[Sequence[int]],
    size: int,
    count: int,
    longest: int,
) -> list[list[int]]:
    """Sentences that are not among those they are drawn from.

    Args:
        rng: the source of chance.
        sentences: what to count, ids in 0 … size−1.
        size: number of symbols; this id ends a sentence.
        count: how many to draw.
        longest: greatest number of words in a sentence.
    """
    after, later, known = defaultdict(list), defaultdict(list), set()
    for sentence in sentences:
        text = [size, *sentence, size]
        for a, b in pairwise(text):
            after[a].append(b)
        for a, b in zip(text, text[2:], strict=False):
            later[a].append(b)
        known.add(tuple(sentence))
    drawn = []
    while len(drawn) < count:
        words = [size]
        while len(words) == 1 or words[-1] != size:
            skipped = later[words[-2]] if len(words) > 1 and rng.random() < 1 / 2 else []
            words.append(int(rng.choice(skipped or after[words[-1]])))
        sentence = words[1:-1]
        if len(sentence) <= longest and tuple(sentence) not in known:
            drawn.append(sentence)
    return drawn
