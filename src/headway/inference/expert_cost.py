"""What a mixture of experts costs: weights to keep, weights that a token meets, weights to read.

    kept       all E experts of each block
    active     the k that one token chooses, and what is not an expert
    read       the experts that any of n tokens chooses, each once: E · (1 − (1 − k/E)ⁿ) on average

The last holds for tokens that choose independently, and each expert with the same probability.
Tokens that agree meet fewer. So a mixture saves arithmetic always, and memory traffic only while
few tokens are read at once: with n = E/k the tokens of a step meet 63 % to 75 % of all experts.

Source: Shazeer et al. 2017, section 3.1, on how few tokens of a batch each expert gets.
"""

from dataclasses import replace

from headway.inference.cost import decoder_parameters
from headway.models.language_model import LanguageModelConfig
from headway.nn.experts import check_active


def active_parameters(config: LanguageModelConfig) -> int:
    """The parameters that one token meets: all but the experts that it does not choose.

    12.9 of 46.7 billion in Mixtral 8x7B. The embedding counts in full, as it does for others.

    Raises:
        ValueError: as `decoder_parameters`.
    """
    whole, idle = decoder_parameters(config), 0
    if config.experts is not None:
        idle = config.experts - config.active_experts
    return whole - idle * expert_parameters(config)


def expert_parameters(config: LanguageModelConfig) -> int:
    """Weights and biases of one expert, its copies in all blocks together; 0 without experts."""
    if config.experts is None:
        return 0
    one_more = replace(config, experts=config.experts + 1)
    return decoder_parameters(one_more) - decoder_parameters(config) - config.layers * config.width


def distinct_experts(experts: int, active: int, tokens: int) -> float:
    """How many experts n tokens meet together on average: E · (1 − (1 − k/E)ⁿ).

    Args:
        experts: E.
        active: k, which each token draws without regard to the others, all equally likely.
        tokens: n, those of a batch that are read at once.

    Raises:
        ValueError: if k is not in 1 … E, or n is negative.
    """
    check_active(active, experts)
    if tokens < 0:
        raise ValueError(f"tokens must be at least 0, got {tokens}")
    return experts * (1 - (1 - active / experts) ** tokens)


def weight_bytes(config: LanguageModelConfig, tokens: int = 1, item_bytes: int = 2) -> float:
    """Bytes of the weights that are read when n tokens go through the model at once.

    Every weight once (the embedding, too, which scores the output), but for the experts that none
    of the tokens is expected to choose.

    Args:
        config: the sizes.
        tokens: n; in a step of generation, one for each sentence.
        item_bytes: of one weight.

    Raises:
        ValueError: as `decoder_parameters`; if n is negative.
    """
    kept = decoder_parameters(config) * item_bytes
    if config.experts is None:
        return kept
    met = distinct_experts(config.experts, config.active_experts, tokens)
    return kept - (config.experts - met) * expert_parameters(config) * item_bytes
