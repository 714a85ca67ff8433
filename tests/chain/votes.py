"""Skip-bigrams with a mask, and prefixes to look up: what links 4, 7, 8 and 10 share."""

import numpy as np

from headway.ngram.skipbigram import SkipBigrams

V = 8
rng = np.random.default_rng(0)
# No word comes twice in a sentence: chapter 3 lets it vote once, attention sees it in two places.
SENTENCES = [rng.permutation(V)[:6] for _ in range(12)]
MODEL = SkipBigrams(SENTENCES, V)
MASK = rng.random(len(MODEL)) < 0.3

prefixes = [sentence[:t] for sentence in SENTENCES for t in range(3, 7)]
UNMASKED = [int(MASK[MODEL.features(prefix)].sum()) for prefix in prefixes]
ONE_UNMASKED = [prefix for prefix, count in zip(prefixes, UNMASKED, strict=True) if count == 1]
ALL_MASKED = [prefix for prefix, count in zip(prefixes, UNMASKED, strict=True) if count == 0]


def masked_vote(prefix: np.ndarray) -> np.ndarray:
    """What chapter 3 predicts with the mask, (V+1,)."""
    return MODEL.predict(prefix, MASK)


def mean_vote(prefix: np.ndarray) -> np.ndarray:
    """What the features of a prefix vote for on average, (V+1,)."""
    return MODEL.predict(prefix) / len(MODEL.features(prefix))
