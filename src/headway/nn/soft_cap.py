"""A soft cap: no number beyond a bound, and small ones almost as they are.

    soft_cap(x) = cap · tanh(x / cap)        between −cap and cap

With a cap of 50, a score of 5 stays 4.98 and one of 100 becomes 48. Unlike a hard bound it leaves
a slope everywhere, so that training can still move a score that has grown too large.

Source: Bello et al. 2016; for scores and logits, Riviere et al. 2024 (Gemma 2), section 2.
"""

import math

from torch import Tensor

from headway.nn.attention import check_fit, mix


def soft_cap(x: Tensor, cap: float) -> Tensor:
    """cap · tanh(x / cap), for each number.

    Args:
        x: (...) float.
        cap: above 0.

    Returns:
        (...), each number between −cap and cap.
    """
    return cap * (x / cap).tanh()


def attend_capped(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    cap: float,
    mask: Tensor | None = None,
    score_bias: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """`headway.nn.attention.attend` with a soft cap on the scaled scores.

        softmax(soft_cap(Q Kᵀ / √D)) V

    Args:
        cap: what no score exceeds; the bias is added after it.
        query, key, value, mask, score_bias: as for `attend`; so are the results and the errors.
    """
    check_fit(query, key, value, mask, score_bias)
    scores = soft_cap(query @ key.mT / math.sqrt(query.shape[-1]), cap)  # (..., T, S)
    return mix(scores if score_bias is None else scores + score_bias, value, mask)
