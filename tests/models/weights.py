"""Weights for tests: large enough that every part of a model shows in what comes out."""

import torch
from torch import nn


def redrawn(model: nn.Module, std: float = 0.2, seed: int = 3) -> nn.Module:
    """The model in evaluation mode: matrices drawn anew, noise added to gains and biases.

    Gains stay around one: with small ones a model of many norms gives the same for all inputs.
    """
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in model.parameters():
            noise = std * torch.randn(parameter.shape, generator=generator)
            parameter.copy_(noise if parameter.dim() > 1 else parameter + noise)
    return model.eval()


def random_ids(V: int, B: int, T: int, seed: int = 0) -> torch.Tensor:
    """Ids (B, T), each in 0 … V−1."""
    return torch.randint(V, (B, T), generator=torch.Generator().manual_seed(seed))
