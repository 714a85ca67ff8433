"""Predict what one token leaves behind in the cache, in KiB."""

from headway.tasks.chapters.kv_cache.mistakes import (
    NUMBER_WIDTH_MISTAKEN,
    ONE_LAYER_OR_ONE_TEXT_COUNTED,
    QUERIES_CACHED,
    SHARED_HEADS_MISCOUNTED,
    UNIT_MISTAKEN,
    VALUES_FORGOTTEN,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.mistakes import Misconception

token_bytes = by_hand(
    "15-kv-cache/token-bytes",
    "What one token leaves behind",
    24,
    SHARED_HEADS_MISCOUNTED.by(72, 8),
    VALUES_FORGOTTEN.by(12),
    QUERIES_CACHED.by(60),
    Misconception(
        "inputs-cached",
        36,
        "This is one vector of the width of the model for each layer: as wide as what goes into "
        "the projections. What comes out of them for the cache, and is it larger or smaller here?",
    ),
    ONE_LAYER_OR_ONE_TEXT_COUNTED.by(1),
    NUMBER_WIDTH_MISTAKEN.by(48, 96, 3),
    UNIT_MISTAKEN.by(192, 24_576, 24.576, 196.608),
    minutes=4,
    answer="token_bytes",
)
