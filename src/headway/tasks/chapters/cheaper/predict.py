"""Predict: what is kept of a draft, what weights take, and what a round gives."""

from headway.tasks.chapters.cheaper.mistakes import (
    BITS_AND_BYTES_MIXED_UP,
    KEPT_BY_ANOTHER_RULE,
    MODELS_OWN_WORD,
    REDRAWN_FROM_ANOTHER_REST,
    RESULTS_IN_ANOTHER_ORDER,
    SCALE_MISCOUNTED,
    WORDS_BEHIND_A_REJECTION,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.mistakes import Misconception, any_of

KEPT, OWN = 0.6, 0.75

kept = by_hand(
    "19-cheaper/kept",
    "What is kept of a draft",
    [KEPT, OWN],
    KEPT_BY_ANOTHER_RULE.by(
        # Σ p·q; Σ |p − q| and what it leaves of 1; kept only if p ≥ q; Σ max; what is rejected
        *([share, OWN] for share in (0.2075, 0.8, 0.2, 0.35, 1.4, 0.4, 1.0, 0.75)),
        *([share, 0.4] for share in (0.2075, 0.8, 0.2, 0.35)),
    ),
    REDRAWN_FROM_ANOTHER_REST.by(
        # from p; from |p − q|; from q; the rest undivided; others
        *([KEPT, own] for own in (0.4, 0.375, 0.1, 0.3, 0.12, 0.16, 0.6667, 0.25)),
    ),
    RESULTS_IN_ANOTHER_ORDER.by([OWN, KEPT]),
    minutes=6,
    answer="kept",
)

BITS, GIGABYTES = 5 + 16 / 64, 6 * (5 + 16 / 64) / 8

size = by_hand(
    "19-cheaper/size",
    "What weights take",
    [BITS, GIGABYTES],
    SCALE_MISCOUNTED.by(
        *([bits, 6 * bits / 8] for bits in (5.0, 21.0, 5 + 64 / 16, 5 + 16 / 32, 5 + 32 / 64)),
        *([bits, 6 * bits / 8] for bits in (5 + 1 / 64, 5 + 5 / 64, 5 + 2 / 64)),
        *([BITS, 6 * bits / 8] for bits in (5.0, 21.0)),
    ),
    BITS_AND_BYTES_MIXED_UP.by(
        [BITS, 6 * BITS],
        [BITS, 6 * BITS * 8],
        [BITS / 8, GIGABYTES],
        [5 + 2 / 64, 6 * (5 / 8 + 2 / 64)],
        [BITS, 6 * BITS / 8 * 1e9],
        [BITS, 6 * BITS / 8 * 1000 / 1024],
        [BITS, 6e9 * BITS / 8 / 1024**3],
    ),
    Misconception(
        "numbers-that-need-no-bits",
        any_of(
            *([bits, 6 * bits / 8] for bits in (4 + 16 / 64, 6 + 16 / 64, 8 + 16 / 64)),
            [16 / BITS, GIGABYTES],
        ),
        "You give each number more bits than it has, or fewer. How many does the text give it, "
        "sign and all?",
    ),
    RESULTS_IN_ANOTHER_ORDER.by([GIGABYTES, BITS]),
    minutes=4,
    answer="size",
)

SHARE, LENGTH, COST = 0.6, 3, 0.1
TOKENS = 1 + 0.6 + 0.36 + 0.216  # 2.176

expected = by_hand(
    "19-cheaper/expected",
    "What a round gives",
    [TOKENS, TOKENS / 1.3],
    MODELS_OWN_WORD.by(
        *([tokens, tokens / 1.3] for tokens in (TOKENS - 1, TOKENS - 0.216, TOKENS + 1)),
        *([tokens, TOKENS / 1.3] for tokens in (TOKENS - 1, TOKENS - 0.216, TOKENS + 1)),
    ),
    WORDS_BEHIND_A_REJECTION.by(
        # n·α, and 1 more; (n + 1)·α; 1 and n·αⁿ, or αⁿ
        *([tokens, tokens / 1.3] for tokens in (1.8, 2.8, 2.4, 1.648, 1.216)),
        *([tokens, TOKENS / 1.3] for tokens in (1.8, 2.8, 2.4, 1.648, 1.216)),
    ),
    Misconception(
        "draft-without-an-end",
        any_of([2.5, 2.5 / 1.3], [2.5, TOKENS / 1.3]),
        "Your draft goes on until a word is rejected. How many words does it have here, and what "
        "comes behind the last of them?",
    ),
    Misconception(
        "price-of-a-round-mistaken",
        any_of(
            # the draft's steps for nothing, or one of them; n + 1 of them; each as the model's; …
            *([TOKENS, TOKENS / price] for price in (1.0, 1.1, 1.4, 4.0, 0.3, 1.03, 3.3)),
            [TOKENS, 1.3 / TOKENS],
            [TOKENS, 1.3],
            [TOKENS, TOKENS * 1.3],
        ),
        "Your round costs more than it does, or less. How many steps of each model does it take, "
        "whatever is kept?",
    ),
    RESULTS_IN_ANOTHER_ORDER.by([TOKENS / 1.3, TOKENS]),
    minutes=5,
    answer="expected",
)
