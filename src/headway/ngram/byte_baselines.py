"""What a model of bytes is held against: no knowledge, and chains of each order.

    bits per byte = mean of −log₂ P(byte | all before it)

over every byte of held-out texts but the first of each, which is given.
"""

import numpy as np

from headway.ngram.byte_chain import ORDERS, bits_of_each_order

UNIFORM, BEST = "uniform", "best chain"


def chain_name(order: int) -> str:
    """How a chain is called in the table of baselines."""
    return f"chain of order {order}"


def baselines(text: np.ndarray, rows: np.ndarray) -> dict[str, float]:
    """Bits per byte of what takes all 256 bytes for equally likely, of chains, and of the best.

    Args:
        text: uint8 (N,), what the chains read.
        rows: uint8 (B, T), held out.

    Returns:
        "uniform", "chain of order 0", …, and "best chain", the lowest of the chains.
    """
    costs = zip((0, *ORDERS), bits_of_each_order(text, rows), strict=True)
    chains = {chain_name(order): float(bits.mean()) for order, bits in costs}
    return {UNIFORM: float(np.log2(256)), **chains, BEST: min(chains.values())}
