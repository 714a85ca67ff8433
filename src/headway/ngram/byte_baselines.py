"""What a model of bytes is held against: no knowledge, and chains of each order.

    bits per byte = mean of −log₂ P(byte | all before it)

over every byte of held-out texts but the first of each, which is given.
"""

import numpy as np

from headway.ngram.byte_chain import ORDERS, ByteChain

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
    chains = {
        chain_name(order): float(ByteChain(text, order).bits(rows).mean()) for order in (0, *ORDERS)
    }
    return {UNIFORM: float(np.log2(256)), **chains, BEST: min(chains.values())}
