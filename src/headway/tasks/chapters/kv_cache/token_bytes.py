"""Predict what one token leaves behind in the cache, in KiB."""

from headway.tasks.chapters.kv_cache.mistakes import (
    NUMBER_WIDTH_MISTAKEN,
    ONE_LAYER_OR_ONE_TEXT_COUNTED,
    QUERIES_CACHED,
    QUERY_HEADS_COUNTED,
    UNIT_MISTAKEN,
    VALUES_FORGOTTEN,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.mistakes import Misconception

token_bytes = by_hand(
    "15-kv-cache/token-bytes",
    "What one token leaves behind",
    48,
    QUERY_HEADS_COUNTED.by(192),
    VALUES_FORGOTTEN.by(24),
    QUERIES_CACHED.by(144),
    Misconception(
        "inputs-cached",
        96,
        "This is one vector of the width of the model for each layer: as wide as what goes into "
        "the projections. What comes out of them for the cache, and is it larger or smaller here?",
    ),
    ONE_LAYER_OR_ONE_TEXT_COUNTED.by(2),
    NUMBER_WIDTH_MISTAKEN.by(12, 12_288),
    UNIT_MISTAKEN.by(384, 49_152),
    minutes=4,
    answer="token_bytes",
)
