"""What a language model costs: its parameters, its FLOPs, and the bytes of its cache, counted.

One multiply-add is 2 FLOPs, everywhere in this module. For T tokens that look at S keys, with
width C, hidden width M, and G of H key/value heads of width D, which is C/H in most models, a block
takes

    projections     2·T·C·(H·D + 2·G·D) + 2·T·H·D·C     Q, K, V, and the output W_O
    scores          2·T·S·H·D                           Q Kᵀ in all heads
    mixing          2·T·S·H·D                           weights times V
    feed-forward    4·T·C·M, with a gate 6·T·C·M; k of E experts: k·6·T·C·M + 2·T·C·E

and reading words off n hidden vectors 2·n·C·V. Matrix products only: norms, softmax, activations
and additions take a few FLOPs a number, where a product takes C or D of them, and are left out.
Scores are counted for all T·S pairs, hidden ones included, because a kernel with a mask computes
them.

All functions are arithmetic on whole numbers; none makes a model. `LanguageModelConfig` holds the
sizes. Source: Kaplan et al. 2020, table 1, for the counting.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from headway.models.language_model import LanguageModelConfig

ADDED = ("none", "sinusoidal", "rotary")  # positions without weights


class Flops(NamedTuple):
    """FLOPs by where they are spent; `sum(…)` is the total."""

    projections: int
    scores: int
    mixing: int
    feed_forward: int
    logits: int = 0


def block_parameters(
    C: int,
    M: int,
    H: int,
    G: int | None = None,
    *,
    D: int | None = None,
    gated: bool = False,
    bias: bool = True,
    qkv_bias: bool | None = None,
    head_norm: bool = False,
    shift: bool = True,
    norms: int = 2,
    experts: int | None = None,
) -> int:
    """Weights and biases of a block.

    Args:
        C: the width.
        M: the hidden width of the feed-forward.
        H: heads.
        G: key/value heads; H if not given.
        D: the width of a head; C/H if not given.
        gated: whether the feed-forward has a gate, a third matrix.
        bias: whether linear layers add biases.
        qkv_bias: whether those of queries, keys and values do; as `bias` if not given.
        head_norm: whether queries and keys have a norm each, of width D.
        shift: whether norms have a shift beside their gain, as layer norms do.
        norms: of width C; a sandwich has four.
        experts: E, feed-forwards to choose among; one, and no choice, if not given.
    """
    queries, keys_values = head_widths(C, H, G, D)
    qkv = (C + (bias if qkv_bias is None else qkv_bias)) * (queries + keys_values)
    attention = qkv + (queries + bias) * C + head_norm * 2 * (1 + shift) * (queries // H)
    feed_forward = (1 + gated) * (C + bias) * M + (M + bias) * C
    if experts is not None:
        feed_forward = experts * (feed_forward + C)  # a row of the router for each
    return attention + feed_forward + norms * (1 + shift) * C


def head_widths(C: int, H: int, G: int | None = None, D: int | None = None) -> tuple[int, int]:
    """Columns of all queries, H·D, and of all keys and values together, 2·G·D."""
    D = C // H if D is None else D
    return H * D, 2 * (H if G is None else G) * D


def decoder_parameters(config: LanguageModelConfig) -> int:
    """What a `LanguageModel` learns; a tied embedding counts once.

    Raises:
        ValueError: if the positions have weights of another kind than a learned table.
    """
    C, V = config.width, config.vocabulary
    if config.position not in ("learned", *ADDED):
        raise ValueError(
            f"the weights of {config.position!r} positions are not counted here, only those of "
            "'learned' ones; parameter_count counts those of a model that was made"
        )
    embedding = V * C if config.tied else 2 * V * C
    positions = config.context * C if config.position == "learned" else 0
    shift = config.normalization == "layer"
    final_norm = 0 if config.norm == "post" else (1 + shift) * C
    sizes = C, config.feed_forward_width, config.heads, config.key_value_heads
    block = block_parameters(
        *sizes,
        D=config.head_width,
        gated=config.gated,
        bias=config.bias,
        qkv_bias=config.qkv_bias,
        head_norm=config.head_norm,
        shift=shift,
        norms=4 if config.norm == "sandwich" else 2,
        experts=config.experts,
    )
    return embedding + positions + config.layers * block + final_norm


def block_flops(
    T: int,
    S: int,
    C: int,
    M: int,
    H: int,
    G: int | None = None,
    *,
    D: int | None = None,
    gated: bool = False,
    experts: int | None = None,
    active: int = 1,
) -> Flops:
    """A block's forward pass over one sentence: T queries, S keys of which T are new.

    Args:
        T: the tokens that run through the block.
        S: the keys they look at, those of a cache included; T without a cache.
        C, M, H, G, D, gated, experts: as for `block_parameters`.
        active: k, how many experts each token uses.
    """
    queries, keys_values = head_widths(C, H, G, D)
    chosen, router = (1, 0) if experts is None else (active, 2 * T * C * experts)
    return Flops(
        projections=2 * T * C * (queries + keys_values) + 2 * T * queries * C,
        scores=2 * T * S * queries,
        mixing=2 * T * S * queries,
        feed_forward=chosen * 2 * (2 + gated) * T * C * M + router,
    )


def forward_flops(
    config: LanguageModelConfig, T: int, S: int | None = None, scored: int | None = None
) -> Flops:
    """A model's forward pass over one sentence.

    Args:
        config: the sizes.
        T: the tokens that run through the blocks.
        S: the keys they look at; T if not given.
        scored: for how many positions the vocabulary is scored; T if not given.
    """
    S, scored = T if S is None else S, T if scored is None else scored
    C, M, heads = config.width, config.feed_forward_width, config.heads
    G, D, gated = config.key_value_heads, config.head_width, config.gated
    E, k = config.experts, config.active_experts
    block = block_flops(T, S, C, M, heads, G, D=D, gated=gated, experts=E, active=k)
    stack = Flops(*(config.layers * part for part in block))
    return stack._replace(logits=2 * scored * C * config.vocabulary)


def cached_step_flops(config: LanguageModelConfig, length: int) -> Flops:
    """One more token with a cache: one query, `length` keys (its own included), one score.

    With a sliding window in all blocks there are never more keys than the window has.
    """
    window = config.cache_window
    keys = length if window is None else min(length, window)
    return forward_flops(config, 1, keys)


def uncached_step_flops(config: LanguageModelConfig, length: int) -> Flops:
    """One more token without a cache: all `length` tokens again, the last of them scored."""
    return forward_flops(config, length, scored=1)


def cached_generation_flops(config: LanguageModelConfig, prompt: int, new: int) -> Flops:
    """`new` tokens after a prompt: the prompt at once, then one token a step.

    The last token that is drawn is never fed, so there are `new` − 1 steps after the prompt.

    Raises:
        ValueError: if the prompt or what is to follow has no token.
    """
    check_lengths(prompt, new)
    steps = (cached_step_flops(config, prompt + i) for i in range(1, new))
    return add_up([uncached_step_flops(config, prompt), *steps])


def uncached_generation_flops(config: LanguageModelConfig, prompt: int, new: int) -> Flops:
    """The same without a cache: in every step, all tokens so far.

    Raises:
        ValueError: as `cached_generation_flops`.
    """
    check_lengths(prompt, new)
    return add_up(uncached_step_flops(config, prompt + i) for i in range(new))


def cache_bytes(
    layers: int,
    key_value_heads: int,
    head_width: int,
    length: int,
    batch: int = 1,
    item_bytes: int = 2,
    window: int | None = None,
) -> int:
    """Memory of the keys and values of all tokens: 2 · B · L · G · D · length · bytes.

    In 16 bits, a token takes 36 KiB in GPT-2 small, 512 KiB in Llama 2 7B (32 layers, 32 heads of
    128) and, with 8 key/value heads, 128 KiB in Llama 3 8B.

    Args:
        layers: L.
        key_value_heads: G.
        head_width: D.
        length: tokens of each sentence.
        batch: B, sentences.
        item_bytes: of one number; 2 in 16 bits.
        window: how many tokens a query sees; older ones need not be kept.
    """
    kept = length if window is None else min(length, window)
    return 2 * batch * layers * key_value_heads * head_width * kept * item_bytes


def latent_cache_bytes(
    layers: int, latent: int, rotary_width: int, length: int, batch: int = 1, item_bytes: int = 2
) -> int:
    """Memory of the latents and shared keys of all tokens: B · L · (R + P) · length · bytes.

    In 16 bits, a token takes 67.5 KiB in DeepSeek-V2 (60 layers, R = 512, P = 64); with keys and
    values of its own for each of its 128 heads of 128, it would take 3.75 MiB.

    Args:
        layers: L.
        latent, rotary_width: R and P (`headway.nn.latent_attention`).
        length, batch, item_bytes: as for `cache_bytes`.
    """
    return batch * layers * (latent + rotary_width) * length * item_bytes


def score_bytes(batch: int, heads: int, T: int, S: int, item_bytes: int = 4) -> int:
    """Memory of the scores of one layer where a kernel stores them: B · H · T · S · bytes."""
    return batch * heads * T * S * item_bytes


def attention_crossover(C: int, H: int, G: int | None = None) -> Fraction:
    """The length n at which scores and mixing cost what the projections cost.

    A token takes 4·n·C FLOPs for the first and 4·C² + 4·C·G·D for the second: n = C + G·D, which
    is 2·C with as many key/value heads as heads. Below it, n² is not what attention costs.

    Args:
        C, H, G: as for `block_parameters`.
    """
    flops = block_flops(1, 1, C, 0, H, G)
    return Fraction(flops.projections, flops.scores + flops.mixing)


def layer_crossover(C: int, M: int, H: int, G: int | None = None) -> Fraction:
    """The length n at which scores and mixing cost what the rest of the block costs.

    n = C + G·D + M, which is 6·C with M = 4·C and G = H. Where a causal kernel skips the hidden
    half of the pairs, it is twice as far.

    Args:
        C, M, H, G: as for `block_parameters`.
    """
    flops = block_flops(1, 1, C, M, H, G)
    return Fraction(flops.projections + flops.feed_forward, flops.scores + flops.mixing)


def add_up(steps: Iterable[Flops]) -> Flops:
    """The sum of several counts, part by part."""
    return Flops(*map(sum, zip(*steps, strict=True)))


def check_lengths(prompt: int, new: int) -> None:
    """Raise ValueError unless there is a prompt, and something to generate."""
    if prompt < 1 or new < 1:
        raise ValueError(
            f"generation starts from at least 1 token and adds at least 1, got {prompt} and {new}. "
            "Without a prompt, the first token is the symbol that starts a text."
        )
