"""Predict what one token leaves behind in the cache, in KiB."""

from headway.tasks.chapters.kv_cache.mistakes import (
    number_width_mistaken,
    one_layer_or_text,
    queries_cached,
    query_heads_counted,
    unit_mistaken,
    values_forgotten,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.mistakes import Misconception, any_of

token_bytes = by_hand(
    "15-kv-cache/token-bytes",
    "What one token leaves behind",
    48,
    query_heads_counted(192),
    values_forgotten(24),
    queries_cached(144),
    Misconception(
        "inputs-cached",
        96,
        "This is one vector of the width of the model for each layer: as wide as what goes into "
        "the projections. What comes out of them for the cache, and is it larger or smaller here?",
    ),
    one_layer_or_text(2),
    number_width_mistaken(any_of(12, 12_288)),
    unit_mistaken(any_of(384, 49_152)),
    minutes=4,
    answer="token_bytes",
)
