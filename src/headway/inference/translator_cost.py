"""What a translation costs, counted: the cross-attention's cache beside the growing one.

The FLOPs are counted as in `headway.inference.cost`. For T target tokens that look at a memory of S
source tokens, cross-attention takes in each decoder block

    keys and values of the memory    2·S·C·2·G·D        once, or again at every step without a cache
    queries and the output W_O       2·T·C·C + 2·T·C·C
    scores, mixing                   2·T·S·C each

so that with a cache the source costs a step nothing but its scores and their mixture.
"""

from headway.inference.cost import Flops, add_up, block_flops, cache_bytes, check_lengths
from headway.models.translator import TranslatorConfig


def memory_flops(config: TranslatorConfig, S: int) -> Flops:
    """Keys and values of a memory of S tokens, in every decoder block."""
    keys_values = 2 * config.shared_heads * config.per_head
    return Flops(config.decoder_depth * 2 * S * config.width * keys_values, 0, 0, 0)


def decoder_flops(config: TranslatorConfig, T: int, S: int, keys: int | None = None) -> Flops:
    """T target tokens through the decoder, the memory's keys and values being there.

    Args:
        config: the sizes.
        T: the tokens that run through the blocks; the last of them is scored.
        S: the source tokens that they look at.
        keys: the target tokens that they look at, those of a cache included; T if not given.
    """
    C, keys = config.width, T if keys is None else keys
    sizes = C, config.feed_forward_width, config.heads, config.key_value_heads
    own = block_flops(T, keys, *sizes, D=config.head_width, gated=config.gated)
    queries = config.heads * config.per_head
    cross = Flops(
        projections=4 * T * C * queries,
        scores=2 * T * S * queries,
        mixing=2 * T * S * queries,
        feed_forward=0,
    )
    stack = Flops(*(config.decoder_depth * part for part in add_up([own, cross])))
    return stack._replace(logits=2 * C * config.vocabulary)


def encoder_flops(config: TranslatorConfig, S: int) -> Flops:
    """S source tokens through the encoder."""
    sizes = config.width, config.feed_forward_width, config.heads, config.key_value_heads
    block = block_flops(S, S, *sizes, D=config.head_width, gated=config.gated)
    return Flops(*(config.layers * part for part in block))


def cached_translation_flops(config: TranslatorConfig, S: int, new: int) -> Flops:
    """`new` tokens for a source of S: encoded once, its keys and values once, one token a step.

    Raises:
        ValueError: if the source or the translation has no token.
    """
    check_lengths(S, new)
    steps = (decoder_flops(config, 1, S, keys) for keys in range(1, new + 1))
    return add_up([encoder_flops(config, S), memory_flops(config, S), *steps])


def uncached_translation_flops(config: TranslatorConfig, S: int, new: int) -> Flops:
    """`new` tokens for a source of S: encoded once, the whole decoder again for each token.

    Raises:
        ValueError: if the source or the translation has no token.
    """
    check_lengths(S, new)
    steps = (decoder_flops(config, T, S) for T in range(1, new + 1))
    return add_up(
        [encoder_flops(config, S), *(memory_flops(config, S) for _ in range(new)), *steps]
    )


def translation_cache_bytes(
    config: TranslatorConfig, S: int, length: int, batch: int = 1, item_bytes: int = 2
) -> tuple[int, int]:
    """Memory of the growing cache for `length` target tokens, and of the fixed one for S tokens."""
    sizes = (config.decoder_depth, config.shared_heads, config.per_head)
    growing, fixed = (cache_bytes(*sizes, tokens, batch, item_bytes) for tokens in (length, S))
    return growing, fixed
