"""AdamW as GPT-2 and its followers use it: weight decay on matrices, and on nothing else.

    m ← β₁ m + (1 − β₁) g,   v ← β₂ v + (1 − β₂) g²
    w ← w − lr · λ · w − lr · m̂ / (√v̂ + ε)        (Loshchilov and Hutter 2019, algorithm 2,
                                                    where λ stands for our lr · λ)

A bias or the gain of a normalization shifts or scales; pulling it to zero makes nothing simpler.
"""

import torch
from torch import nn


def adamw(
    model: nn.Module,
    lr: float,
    weight_decay: float = 0.01,
    betas: tuple[float, float] = (0.9, 0.999),
) -> torch.optim.AdamW:
    """AdamW over a model: tensors of two and more dimensions decay, biases and gains do not.

    It uses torch's fused kernel, which updates all parameters in one pass, on CPU too.

    Args:
        model: its parameters that require a gradient are trained; a tied one once.
        lr: the learning rate; 1 under a schedule that gives rates, such as Noam.
        weight_decay: λ, for matrices and embeddings.
        betas: β₁ and β₂; GPT-3 has 0.9 and 0.95.

    Raises:
        ValueError: if nothing in the model requires a gradient.

    Source: Brown et al. 2020, appendix B, for the settings; nanoGPT for what decays.
    """
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    if not trained:
        raise ValueError("no parameter of the model requires a gradient; is all of it frozen?")
    groups = [
        {"params": [p for p in trained if p.dim() >= 2], "weight_decay": weight_decay},
        {"params": [p for p in trained if p.dim() < 2], "weight_decay": 0.0},
    ]
    groups = [group for group in groups if group["params"]]
    return torch.optim.AdamW(groups, lr=lr, betas=betas, fused=True)
