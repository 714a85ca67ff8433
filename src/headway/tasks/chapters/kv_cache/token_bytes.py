"""Predict what one token leaves behind in the cache, in KiB."""

from headway.tasks.chapters.kv_cache.mistakes import (
    BITS_AND_BYTES_MIXED_UP,
    CACHE_CONTENTS_MISTAKEN,
    SHARED_HEADS_MISCOUNTED,
)
from headway.tasks.engine.by_hand import by_hand

token_bytes = by_hand(
    "15-kv-cache/token-bytes",
    "What one token leaves behind",
    24,
    SHARED_HEADS_MISCOUNTED.by(72, 8),
    # Keys alone; one layer; queries as well; one vector as wide as the model.
    CACHE_CONTENTS_MISTAKEN.by(12, 1, 60, 36),
    BITS_AND_BYTES_MIXED_UP.by(48, 96, 3, 192, 24_576, 24.576, 196.608),
    minutes=4,
    answer="token_bytes",
)
