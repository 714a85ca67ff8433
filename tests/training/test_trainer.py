import math
import os
import signal
import sys
import threading

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.nn.utils import get_total_norm
from torch.utils.data import DataLoader

from headway.shapes import ShapeError
from headway.training.batches import Shuffled
from headway.training.loss import IGNORE
from headway.training.optimizer import adamw
from headway.training.schedule import Cosine
from headway.training.trainer import Trainer
from tests.training.models import (
    assert_same_weights,
    copy_loss,
    copy_trainer,
    padded_copies,
    small_model,
)

on_this_system = pytest.mark.skipif(
    sys.platform == "win32", reason="os.kill ends the process on Windows"
)


def gradients_of(model):
    return [parameter.grad.clone() for parameter in model.parameters()]


def squared_error(model, batch):
    x, y = batch
    return (model(x) - y).square().mean()


def test_linear_regression_finds_the_line():
    x = torch.randn(200, 3, generator=torch.Generator().manual_seed(0))
    y = x @ torch.tensor([[2.0], [-1.0], [0.5]]) + 3
    model = nn.Linear(3, 1)
    trainer = Trainer(model, squared_error, Shuffled((x, y), 32), adamw(model, 0.1, 0.0))
    trainer.train(300, progress=False)
    torch.testing.assert_close(model.weight, torch.tensor([[2.0, -1.0, 0.5]]), atol=0.01, rtol=0)
    torch.testing.assert_close(model.bias, torch.tensor([3.0]), atol=0.01, rtol=0)


@given(st.integers(1, 7), st.integers(0, 1_000))
def test_loss_and_gradient_are_those_of_the_mean_over_tokens_also_in_parts(parts, seed):
    batch = padded_copies(rows=13, seed=seed)  # parts count unequal numbers of tokens
    trainer, model = copy_trainer(small_model().double(), accumulate=parts), small_model().double()
    loss = trainer.compute_gradients(batch)
    logits, targets = model(batch[0]).flatten(0, 1), batch[1].flatten()
    expected = nn.functional.cross_entropy(logits, targets, ignore_index=IGNORE)
    expected.backward()
    torch.testing.assert_close(loss, expected.detach(), atol=1e-14, rtol=1e-14)
    torch.testing.assert_close(gradients_of(trainer.model), gradients_of(model))


@pytest.mark.parametrize("accumulate", [1, 2])
def test_a_batch_of_padding_changes_no_gradient(accumulate):
    trainer = copy_trainer(accumulate=accumulate)
    loss = trainer.compute_gradients((torch.ones(4, 3).long(), torch.full((4, 3), IGNORE)))
    assert loss == 0
    assert all((gradient == 0).all() for gradient in gradients_of(trainer.model))


@pytest.mark.parametrize("clip", [0.01, 1e6])
def test_a_long_gradient_is_shortened_and_a_short_one_left(clip):
    lengths, model = [], small_model()
    sgd = torch.optim.SGD(model.parameters(), lr=1.0)
    sgd.register_step_pre_hook(lambda *_: lengths.append(get_total_norm(gradients_of(model))))
    trainer = Trainer(model, copy_loss, Shuffled(padded_copies(), 16), sgd, clip=clip)
    trainer.train(1, progress=False)
    norm = trainer.history[0].gradient_norm
    assert norm > 0.1
    assert lengths[0].item() == pytest.approx(min(clip, norm), rel=1e-3)


def test_the_history_has_a_record_of_every_step():
    schedule = Cosine(3, 12)
    trainer = copy_trainer(schedule=schedule, lr=0.5)
    trainer.train(7, progress=False)
    trainer.model.eval()  # as to look at what it says so far
    trainer.train(12, progress=False)
    assert trainer.model.training
    assert [record.step for record in trainer.history] == list(range(1, 13))
    rates = [record.learning_rate for record in trainer.history]
    assert rates == pytest.approx([0.5 * schedule(taken) for taken in range(12)])
    seconds = [record.seconds for record in trainer.history]
    assert seconds == sorted(seconds)
    model, batch = small_model(), Shuffled(padded_copies(), 16, seed=1)(0)
    total, count = copy_loss(model, batch)
    assert trainer.history[0].loss == pytest.approx((total / count).item())


def test_training_up_to_a_step_already_taken_does_nothing():
    trainer, straight = copy_trainer(), copy_trainer()
    trainer.train(3, progress=False)
    trainer.train(2, progress=False)
    straight.train(3, progress=False)
    assert trainer.step == 3
    assert_same_weights(trainer, straight)


class Notes(list):
    """A callback that notes what it is called for."""

    def start(self, trainer):
        self.append("start")

    def __call__(self, trainer):
        self.append(len(trainer.history))

    def finish(self, trainer):
        self.append("end")


def test_callbacks_are_called_after_every_step_and_at_both_ends():
    notes, steps = Notes(), []
    trainer = copy_trainer(callbacks=[notes, lambda trainer: steps.append(trainer.step)])
    trainer.train(3, progress=False)
    assert notes == ["start", 1, 2, 3, "end"]
    assert steps == [1, 2, 3]


def test_a_callback_that_stops_training_is_believed(capsys):
    trainer = copy_trainer(callbacks=[lambda t: t.step == 4 and t.stop("enough.")])
    trainer.train(9, progress=False)
    assert capsys.readouterr().out == "Stopped after step 4: enough.\n"
    trainer.train(9, progress=False)
    assert trainer.step == 4
    trainer.stopped = None
    trainer.train(9, progress=False)
    assert trainer.step == 9


def test_the_bar_is_on_stdout_with_the_loss_seldom_refreshed_and_nothing_on_stderr(capsys):
    trainer = copy_trainer()
    trainer.train(200)
    printed = capsys.readouterr()
    assert printed.err == ""
    assert printed.out.count("\r") < 15
    last = printed.out.strip().split("\r")[-1]
    for part in ("200/200", "steps/s", f"loss {trainer.history[-1].loss:.4g}"):
        assert part in last
    trainer.train(208, progress=False)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("where", ["loss", "gradient"])
def test_a_loss_that_is_not_finite_stops_before_the_weights_are_spoiled(where):
    trainer, straight = copy_trainer(), copy_trainer()

    def fails_at_the_third(model, batch):
        total, count = copy_loss(model, batch)
        root = (model[0].weight * 0).abs().sqrt().sum()  # finite, with an infinite gradient
        spoiled = total * math.nan if where == "loss" else total + root
        return (spoiled if trainer.step == 2 else total), count

    trainer.loss = fails_at_the_third
    with pytest.raises(FloatingPointError, match=r"step 3.*nan.*rate 0\.01.*Usual causes"):
        trainer.train(9, progress=False)
    assert trainer.step == len(trainer.history) == 2
    straight.train(2, progress=False)
    assert_same_weights(trainer, straight)
    trainer.loss = copy_loss
    trainer.train(9, progress=False)
    assert [record.step for record in trainer.history] == list(range(1, 10))


def test_numbers_may_wait_on_the_device_and_none_is_lost():
    waiting, straight = copy_trainer(), copy_trainer()
    waiting.max_pending = 5  # as on a GPU, where reading them would wait for it
    seen = []
    waiting.callbacks = [lambda trainer: seen.append(len(trainer._history))]
    for trainer in (waiting, straight):
        trainer.train(12, progress=False)
    assert seen == [0] * 4 + [5] * 5 + [10] * 3
    assert [r[:4] for r in waiting.history] == [r[:4] for r in straight.history]


def test_an_error_that_is_seen_late_names_its_step_and_the_way_back():
    trainer = copy_trainer()
    trainer.max_pending = 5
    trainer.callbacks = [lambda t: t.step == 2 and t.model[0].weight.data.fill_(math.nan)]
    with pytest.raises(FloatingPointError, match=r"step 3: .*go back to a checkpoint"):
        trainer.train(12, progress=False)
    assert len(trainer.history) == 2


def press_ctrl_c():
    os.kill(os.getpid(), signal.SIGINT)


@on_this_system
def test_ctrl_c_ends_the_step_and_training_goes_on_from_there():
    interrupted, straight, notes = copy_trainer(), copy_trainer(), Notes()

    def loss(model, batch):
        if interrupted.step == 3 and "end" not in notes:
            press_ctrl_c()  # in the middle of step 4
        return copy_loss(model, batch)

    interrupted.loss, interrupted.callbacks = loss, [notes]
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt, match="after step 4"):
        interrupted.train(8, progress=False)
    assert signal.getsignal(signal.SIGINT) is before
    assert notes == ["start", 1, 2, 3, 4, "end"]
    interrupted.train(8, progress=False)
    straight.train(8, progress=False)
    assert_same_weights(interrupted, straight)


@on_this_system
def test_a_second_ctrl_c_does_not_wait():
    def loss(model, batch):
        press_ctrl_c()
        press_ctrl_c()
        raise AssertionError("still here")

    trainer = copy_trainer()
    trainer.loss = loss
    with pytest.raises(KeyboardInterrupt):
        trainer.train(8, progress=False)
    assert trainer.step == 0


def test_training_works_outside_the_main_thread():
    trainer = copy_trainer()
    thread = threading.Thread(target=trainer.train, args=(3, False))
    thread.start()
    thread.join()
    assert trainer.step == 3


@pytest.mark.parametrize(
    ("loss", "error", "message"),
    [
        (lambda model, batch: None, TypeError, "got None.*return missing"),
        (lambda model, batch: model(batch[0]), ShapeError, r"\(8, 6, 8\).*sum"),
        (lambda model, batch: model(batch[0]).mean(), TypeError, "different counts do not add up"),
    ],
)
def test_what_is_no_loss_or_a_mean_to_be_accumulated_is_refused(loss, error, message):
    trainer = copy_trainer(accumulate=2)
    trainer.loss = loss
    with pytest.raises(error, match=message):
        trainer.train(1, progress=False)


LIST, LOADER = [torch.ones(2, 3)], DataLoader(torch.ones(4, 3))


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"accumulate": 0}, ValueError, "accumulate must be at least 1"),
        ({"clip": 0.0}, ValueError, "clip above 0"),
        ({"batches": LIST}, TypeError, "step → batch, got list"),
        ({"batches": LOADER}, TypeError, "step → batch, got DataLoader"),
    ],
)
def test_settings_without_a_meaning_are_refused(settings, error, message):
    model = small_model()
    with pytest.raises(error, match=message):
        Trainer(**{"model": model, "loss": copy_loss, "batches": len, "optimizer": None} | settings)
