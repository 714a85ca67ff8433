"""What tests of modules are given: numbers drawn from a seed, and modules with rough weights."""

import torch


def seeded(seed=0):
    """A generator that starts at a seed."""
    return torch.Generator().manual_seed(seed)


def normal(*shape, seed=0):
    """Standard normal numbers of a shape."""
    return torch.randn(*shape, generator=seeded(seed))


def rough(module):
    """The module with every weight random, so that no gain is one and no shift is zero."""
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.normal_(std=0.4, generator=generator)
    return module
