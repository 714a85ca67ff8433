"""Small models and data that several tests train."""

import torch
from torch import nn

from headway.training.batches import Shuffled
from headway.training.loss import IGNORE, summed_cross_entropy
from headway.training.optimizer import adamw
from headway.training.trainer import Trainer


def padded_copies(rows=60, length=6, size=8, seed=0):
    """Ids (N, T) to be copied, and the targets with padding of uneven length."""
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(1, size, (rows, length), generator=generator)
    lengths = torch.randint(1, length + 1, (rows, 1), generator=generator)
    return ids, ids.masked_fill(torch.arange(length) >= lengths, IGNORE)


def small_model(seed=0, size=8, width=12, dropout=0.0):
    """Logits (B, T, V) of ids (B, T)."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return nn.Sequential(
            nn.Embedding(size, width),
            nn.Dropout(dropout),
            nn.Linear(width, width),
            nn.LayerNorm(width),
            nn.ReLU(),
            nn.Linear(width, size),
        )


def copy_loss(model, batch):
    """The total and the count of cross-entropy, over targets that are no padding."""
    inputs, targets = batch
    return summed_cross_entropy(model(inputs), targets)


def copy_trainer(model=None, *, batch=16, schedule=None, lr=1e-2, **settings):
    """A trainer that learns to copy."""
    model = model or small_model()
    batches = Shuffled(padded_copies(), batch, seed=1)
    return Trainer(model, copy_loss, batches, adamw(model, lr), schedule, **settings)


def assert_same_weights(one, other):
    """Two trainers have come to the same weights, to the last bit."""
    assert all(map(torch.equal, one.model.parameters(), other.model.parameters()))
