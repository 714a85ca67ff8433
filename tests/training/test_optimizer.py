import pytest
import torch
from torch import nn

from headway.training.optimizer import adamw
from tests.training.models import copy_loss, padded_copies, small_model


def test_matrices_decay_and_biases_and_gains_do_not():
    model = nn.Sequential(nn.Embedding(5, 4), nn.LayerNorm(4), nn.Linear(4, 5))
    nn.init.ones_(model[2].bias)
    before = {name: p.detach().clone() for name, p in model.named_parameters()}
    optimizer = adamw(model, lr=0.1, weight_decay=0.5)
    for parameter in model.parameters():
        parameter.grad = torch.zeros_like(parameter)
    optimizer.step()
    for name, parameter in model.named_parameters():
        kept = 1 - 0.1 * 0.5 if parameter.dim() >= 2 else 1
        torch.testing.assert_close(parameter.detach(), kept * before[name])


def test_every_parameter_is_trained_once_also_where_it_is_tied_or_frozen():
    model = nn.Sequential(nn.Embedding(5, 4), nn.Linear(4, 4), nn.Linear(4, 5, bias=False))
    model[2].weight = model[0].weight
    model[1].bias.requires_grad = False
    trained = [p for group in adamw(model, 0.1).param_groups for p in group["params"]]
    assert {id(p) for p in trained} == {id(model[0].weight), id(model[1].weight)}
    assert len(trained) == 2


def test_the_fused_kernel_gives_what_plain_adamw_gives():
    ours, theirs = small_model(), small_model()
    settings = {"lr": 1e-2, "weight_decay": 0.1, "betas": (0.9, 0.95)}
    matrices = [p for p in theirs.parameters() if p.dim() >= 2]
    others = [p for p in theirs.parameters() if p.dim() < 2]
    plain = torch.optim.AdamW(
        [{"params": matrices}, {"params": others, "weight_decay": 0.0}], foreach=False, **settings
    )
    for model, optimizer in ((ours, adamw(ours, **settings)), (theirs, plain)):
        for _ in range(5):
            optimizer.zero_grad()
            copy_loss(model, padded_copies())[0].backward()
            optimizer.step()
    torch.testing.assert_close(list(ours.parameters()), list(theirs.parameters()))


def test_a_frozen_model_is_refused():
    with pytest.raises(ValueError, match="frozen"):
        adamw(small_model().requires_grad_(False), 0.1)
