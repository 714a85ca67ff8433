import math

import pytest
import torch
from torch import nn

from headway.training.batches import in_order
from headway.training.loss import IGNORE
from headway.training.validation import Validation, evaluate, evaluating
from tests.training.models import copy_loss, copy_trainer, padded_copies, small_model


def weights_of(trainer):
    return [parameter.detach().clone() for parameter in trainer.model.parameters()]


def scripted(*losses):
    """A measure that gives these losses one after another, and then the last again."""
    left = list(losses)
    return lambda model: left.pop(0) if len(left) > 1 else left[0]


@pytest.mark.parametrize("size", [1, 4, 7, 100])
def test_the_loss_does_not_depend_on_how_the_batches_are_cut(size):
    data, model = padded_copies(rows=25), small_model(dropout=0.5)
    total, count = copy_loss(model.eval(), data)
    found = evaluate(model, copy_loss, in_order(data, size))
    assert found == pytest.approx((total / count).item(), rel=1e-5)


def test_a_model_is_evaluated_without_dropout_and_gradients_and_its_modes_come_back():
    model = small_model(dropout=0.5)
    model[3].eval()  # frozen by its owner
    modes = [module.training for module in model.modules()]
    with evaluating(model):
        assert not any(module.training for module in model.modules())
        assert not model(torch.ones(1, 2).long()).requires_grad
    assert [module.training for module in model.modules()] == modes
    with pytest.raises(KeyError), evaluating(model):
        raise KeyError
    assert [module.training for module in model.modules()] == modes
    assert torch.is_grad_enabled()


def test_validation_changes_nothing_about_training():
    def draws(model):
        return torch.rand(()).item()

    plain = copy_trainer(small_model(dropout=0.3))
    watched = copy_trainer(
        small_model(dropout=0.3),
        callbacks=[Validation(in_order(padded_copies(9), 4), 2), Validation(draws, every=1)],
    )
    for trainer in (plain, watched):
        torch.manual_seed(0)
        trainer.train(7, progress=False)
    assert len(watched.held_out) == 3 + 7
    assert all(map(torch.equal, weights_of(plain), weights_of(watched)))


def test_validation_comes_every_so_many_steps_with_the_loss_of_that_moment():
    held_out = padded_copies(9, seed=5)
    validation = Validation(in_order(held_out, 4), every=3)
    trainer = copy_trainer(callbacks=[validation])
    trainer.train(7, progress=False)
    assert [step for step, _ in trainer.held_out] == [3, 6]
    stopped = copy_trainer()
    stopped.train(6, progress=False)
    expected = evaluate(stopped.model, copy_loss, [held_out])
    assert trainer.held_out[-1][1] == pytest.approx(expected, rel=1e-5)
    assert trainer.stopped is None


def test_training_stops_when_patience_ends_and_the_best_weights_come_back(capsys):
    seen = {}
    validation = Validation(scripted(3.0, 1.0, 2.0, 2.0, 0.5), every=2, patience=2)
    trainer = copy_trainer(callbacks=[lambda t: seen.setdefault(t.step, weights_of(t)), validation])
    trainer.train(100, progress=False)
    assert trainer.step == 8
    assert (validation.best_loss, validation.best_step) == (1.0, 4)
    assert all(map(torch.equal, weights_of(trainer), seen[4]))
    assert not any(map(torch.equal, weights_of(trainer), seen[8]))
    printed = capsys.readouterr().out
    assert "after step 8: held-out loss has not fallen for 2 evaluations (best 1 at" in printed
    assert "step 4" in printed


@pytest.mark.parametrize(
    ("losses", "min_delta", "last"),
    [
        ([5 - 0.1 * step for step in range(100)], 0.0, 100),
        # The first counts, 0.1 less does not; neither is 0.2 less more than the least.
        ([5 - 0.1 * step for step in range(100)], 0.2, 3),
        ([3.0, 4.0, 2.0, 4.0, 1.0, 4.0, 4.0], 0.0, 7),  # an improvement starts patience anew
    ],
)
def test_an_improvement_must_exceed_the_least_one_and_starts_patience_anew(losses, min_delta, last):
    validation = Validation(scripted(*losses), every=1, patience=2, min_delta=min_delta)
    trainer = copy_trainer(callbacks=[validation])
    trainer.train(100, progress=False)
    assert trainer.step == last


def test_without_patience_training_goes_on_and_keeps_its_last_weights():
    validation = Validation(scripted(1.0, 2.0), every=1)
    seen = {}
    trainer = copy_trainer(callbacks=[lambda t: seen.setdefault(t.step, weights_of(t)), validation])
    trainer.train(9, progress=False)
    assert all(map(torch.equal, weights_of(trainer), seen[9]))
    validation.restore_best(trainer.model)
    assert all(map(torch.equal, weights_of(trainer), seen[1]))


def test_a_measure_that_is_no_number_is_no_improvement(capsys):
    validation = Validation(lambda model: math.nan, every=1, patience=3)
    trainer = copy_trainer(callbacks=[validation])
    trainer.train(9, progress=False)
    assert trainer.step == 3
    assert "no evaluation gave a number" in capsys.readouterr().out


def test_several_means_do_not_make_a_mean():
    def mean(model, batch):
        return nn.functional.mse_loss(model(batch[0]), batch[0])

    x = torch.randn(5, 3, generator=torch.Generator().manual_seed(0))
    model = nn.Linear(3, 3)
    assert evaluate(model, mean, [(x,)]) == pytest.approx(mean(model, (x,)).item())
    with pytest.raises(TypeError, match="mean of means"):
        evaluate(model, mean, in_order((x,), 3))


@pytest.mark.parametrize("batches", [[], [(torch.ones(1, 2).long(), torch.full((1, 2), IGNORE))]])
def test_nothing_to_evaluate_is_refused(batches):
    with pytest.raises(ValueError, match="0 tokens give no loss"):
        evaluate(small_model(), copy_loss, batches)


@pytest.mark.parametrize("settings", [{"every": 0}, {"patience": 0}, {"min_delta": -1.0}])
def test_settings_without_a_meaning_are_refused(settings):
    with pytest.raises(ValueError, match="must be at least 1"):
        Validation([], **settings)
    with pytest.raises(RuntimeError, match="after step 100"):
        Validation([]).restore_best(small_model())  # before the first evaluation
