import math
import os
import signal
import sys
import threading
from types import SimpleNamespace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.utils.data import DataLoader

from headway.shapes import ShapeError
from headway.training.batches import Shuffled
from headway.training.compiler import missing_for_compiling
from headway.training.loss import IGNORE
from headway.training.optimizer import adamw
from headway.training.schedule import Cosine
from headway.training.trainer import Trainer
from tests.training.models import copy_loss, copy_trainer, padded_copies, small_model


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


class Remembers(nn.Module):
    """Says at each position what stood one before: by a recurrent network, or by attention."""

    def __init__(self, kind):
        super().__init__()
        self.embedding = nn.Embedding(6, 24)
        self.places = nn.Parameter(torch.randn(8, 24) * 0.3)
        if kind == "recurrent":
            self.body = nn.GRU(24, 24, batch_first=True)
        else:
            layer = nn.TransformerEncoderLayer(24, 2, 48, dropout=0.0, batch_first=True)
            self.body = nn.TransformerEncoder(layer, 1)
        self.head = nn.Linear(24, 6)

    def forward(self, ids):
        mixed = self.body(self.embedding(ids) + self.places[: ids.shape[1]])
        return self.head(mixed[0] if isinstance(mixed, tuple) else mixed)


@pytest.mark.parametrize("kind", ["recurrent", "attention"])
def test_a_model_learns_to_say_what_stood_before(kind):
    torch.manual_seed(0)
    ids = torch.randint(0, 6, (400, 8))
    targets = ids.roll(1, dims=1)
    targets[:, 0] = IGNORE
    model = Remembers(kind)
    trainer = Trainer(
        model,
        copy_loss,
        Shuffled((ids, targets), 32),
        adamw(model, 1e-2),
        Cosine(20, 250),
        clip=1.0,
    )
    trainer.train(250, progress=False)
    assert trainer.history[0].loss > 1.5
    assert trainer.history[-1].loss < 0.05


@given(st.integers(2, 7), st.integers(0, 1_000))
def test_parts_add_up_to_the_gradient_of_the_whole_batch(parts, seed):
    batch = padded_copies(rows=13, seed=seed)  # parts count unequal numbers of tokens
    whole, cut = copy_trainer(), copy_trainer(accumulate=parts)
    loss, same = whole.compute_gradients(batch), cut.compute_gradients(batch)
    torch.testing.assert_close(loss, same, atol=1e-6, rtol=1e-6)
    torch.testing.assert_close(
        gradients_of(whole.model), gradients_of(cut.model), atol=1e-6, rtol=1e-5
    )


def test_parts_of_a_batch_keep_double_precision():
    batch = padded_copies(rows=13)
    whole, cut = (copy_trainer(small_model().double(), accumulate=k) for k in (1, 3))
    loss, same = whole.compute_gradients(batch), cut.compute_gradients(batch)
    torch.testing.assert_close(loss, same, atol=1e-14, rtol=1e-14)


def test_the_gradient_is_that_of_the_mean_over_tokens():
    trainer, batch = copy_trainer(accumulate=3), padded_copies(rows=13)
    loss = trainer.compute_gradients(batch)
    model = small_model()
    logits, targets = model(batch[0]).flatten(0, 1), batch[1].flatten()
    expected = nn.functional.cross_entropy(logits, targets, ignore_index=IGNORE)
    expected.backward()
    torch.testing.assert_close(loss, expected.detach(), atol=1e-6, rtol=1e-6)
    torch.testing.assert_close(
        gradients_of(trainer.model), gradients_of(model), atol=1e-6, rtol=1e-5
    )


@pytest.mark.parametrize("accumulate", [1, 2])
def test_a_batch_of_padding_changes_no_gradient(accumulate):
    trainer = copy_trainer(accumulate=accumulate)
    loss = trainer.compute_gradients((torch.ones(4, 3).long(), torch.full((4, 3), IGNORE)))
    assert loss == 0
    assert all((gradient == 0).all() for gradient in gradients_of(trainer.model))


@pytest.mark.parametrize("clip", [0.01, 1e6])
def test_a_long_gradient_is_shortened_and_a_short_one_left(clip):
    seen = []
    model = small_model()
    batches = Shuffled(padded_copies(), 16)
    sgd = torch.optim.SGD(model.parameters(), lr=1.0)
    sgd.register_step_pre_hook(lambda *_: seen.append(gradients_of(model)))
    trainer = Trainer(model, copy_loss, batches, sgd, clip=clip)
    trainer.train(1, progress=False)
    length = torch.cat([gradient.flatten() for gradient in seen[0]]).norm().item()
    norm = trainer.history[0].gradient_norm
    assert norm > 0.1
    assert length == pytest.approx(min(clip, norm), rel=1e-3)


def test_the_history_has_a_record_of_every_step():
    schedule = Cosine(3, 12)
    trainer = copy_trainer(schedule=schedule, lr=0.5)
    trainer.train(7, progress=False)
    trainer.train(12, progress=False)
    assert [record.step for record in trainer.history] == list(range(1, 13))
    rates = [record.learning_rate for record in trainer.history]
    assert rates == pytest.approx([0.5 * schedule(taken) for taken in range(12)])
    seconds = [record.seconds for record in trainer.history]
    assert seconds == sorted(seconds)
    model, batch = small_model(), Shuffled(padded_copies(), 16, seed=1)(0)
    total, count = copy_loss(model, batch)
    assert trainer.history[0].loss == pytest.approx((total / count).item())


def test_training_up_to_a_step_already_taken_does_nothing(capsys):
    trainer = copy_trainer()
    trainer.train(3, progress=False)
    weights = [parameter.clone() for parameter in trainer.model.parameters()]
    trainer.train(2)
    assert trainer.step == 3
    assert all(map(torch.equal, weights, trainer.model.parameters()))


def test_callbacks_are_called_after_every_step_and_at_both_ends():
    class Notes(list):
        def start(self, trainer):
            self.append("start")

        def __call__(self, trainer):
            self.append(trainer.step)

        def finish(self, trainer):
            self.append("end")

    notes, steps = Notes(), []
    trainer = copy_trainer(callbacks=[notes, lambda t: steps.append(len(t.history))])
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


def test_the_bar_is_on_stdout_with_the_loss_and_nothing_on_stderr(capsys):
    trainer = copy_trainer()
    trainer.train(5)
    printed = capsys.readouterr()
    assert printed.err == ""
    last = printed.out.strip().split("\r")[-1]
    assert "5/5" in last
    assert "steps/s" in last
    assert f"loss {trainer.history[-1].loss:.4g}" in last
    trainer.train(8, progress=False)
    assert capsys.readouterr().out == ""


def test_the_bar_is_refreshed_sparingly(capsys):
    copy_trainer().train(200)
    assert capsys.readouterr().out.count("\r") < 15


@pytest.mark.parametrize("where", ["loss", "gradient"])
def test_a_loss_that_is_not_finite_stops_before_the_weights_are_spoiled(where):
    def fails_at_the_third(model, batch):
        total, count = copy_loss(model, batch)
        if len(calls := fails_at_the_third.calls) == 2:
            total = total * math.nan if where == "loss" else total + root(model)
        calls.append(1)
        return total, count

    def root(model):  # finite, with an infinite gradient
        return (model[0].weight * 0).abs().sqrt().sum()

    fails_at_the_third.calls = []
    trainer = copy_trainer()
    trainer.loss = fails_at_the_third
    states = []
    trainer.callbacks = [lambda t: states.append([p.clone() for p in t.model.parameters()])]
    with pytest.raises(FloatingPointError, match=r"step 3.*nan.*rate 0\.01.*Usual causes"):
        trainer.train(9, progress=False)
    assert trainer.step == len(trainer.history) == 2
    assert all(map(torch.equal, states[-1], trainer.model.parameters()))
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


def test_in_mixed_precision_the_model_computes_in_bfloat16_and_its_weights_stay_exact():
    trainer, dtypes = copy_trainer(), set()
    trainer.model[-1].register_forward_hook(lambda *given: dtypes.add(given[-1].dtype))
    trainer.mixed_precision = True  # what the option does where there is a GPU
    trainer.train(60, progress=False)
    assert dtypes == {torch.bfloat16}
    assert {p.dtype for p in trainer.model.parameters()} == {torch.float32}
    assert trainer.history[-1].loss < trainer.history[0].loss / 4


def press_ctrl_c():
    os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.skipif(sys.platform == "win32", reason="os.kill ends the process on Windows")
def test_ctrl_c_ends_the_step_and_training_goes_on_from_there():
    interrupted, straight = copy_trainer(), copy_trainer()
    finished = []

    def loss(model, batch):
        total, count = copy_loss(model, batch)
        if interrupted.step == 3 and not finished:
            press_ctrl_c()  # in the middle of step 4
        return total, count

    class Finish:
        def __call__(self, trainer):
            pass

        def finish(self, trainer):
            finished.append(trainer.step)

    interrupted.loss, interrupted.callbacks = loss, [Finish()]
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt, match="after step 4"):
        interrupted.train(8, progress=False)
    assert signal.getsignal(signal.SIGINT) is before
    assert finished == [interrupted.step] == [4]
    interrupted.train(8, progress=False)
    straight.train(8, progress=False)
    assert all(map(torch.equal, interrupted.model.parameters(), straight.model.parameters()))


@pytest.mark.skipif(sys.platform == "win32", reason="os.kill ends the process on Windows")
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


@pytest.mark.skipif(torch.cuda.is_available(), reason="is about machines without a GPU")
def test_half_precision_is_left_out_with_a_notice(capsys):
    plain = copy_trainer()
    assert capsys.readouterr().out == ""
    fast = copy_trainer(mixed_precision=True)
    assert capsys.readouterr().out == "No GPU: training in full precision.\n"
    for trainer in (plain, fast):
        trainer.train(3, progress=False)
    assert all(map(torch.equal, plain.model.parameters(), fast.model.parameters()))


@pytest.mark.skipif(torch.cuda.is_available(), reason="a GPU brings what compiling needs")
def test_without_a_compiler_it_trains_uncompiled_and_says_what_is_missing(monkeypatch, capsys):
    monkeypatch.setenv("CXX", "no-such-compiler")
    trainer, plain = copy_trainer(compiled=True), copy_trainer()
    said = capsys.readouterr().out
    assert said.startswith("Training without torch.compile, which needs a C++ compiler")
    assert "no-such-compiler" in said
    for each in (trainer, plain):
        each.train(3, progress=False)
    assert all(map(torch.equal, plain.model.parameters(), trainer.model.parameters()))


@pytest.mark.full  # compiling takes half a minute
@pytest.mark.skipif(missing_for_compiling(torch.device("cpu")) != "", reason="needs a compiler")
def test_compiled_it_has_the_same_losses(capsys):
    plain, compiled = copy_trainer(), copy_trainer(compiled=True)
    assert capsys.readouterr().out == ""
    for trainer in (plain, compiled):
        trainer.train(20, progress=False)
    losses, others = ([record.loss for record in it.history] for it in (plain, compiled))
    assert others == pytest.approx(losses, abs=1e-4)
    assert compiled.loss is not plain.loss


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
@pytest.mark.parametrize("fast", [False, True])
def test_a_gpu_learns_the_same(fast, capsys):
    on_gpu = copy_trainer(small_model().cuda(), mixed_precision=fast, compiled=fast)
    on_cpu = copy_trainer()
    for trainer in (on_gpu, on_cpu):
        trainer.train(100, progress=False)
    assert capsys.readouterr().out == ""
    assert len(on_gpu.history) == 100
    assert on_gpu.history[-1].loss == pytest.approx(on_cpu.history[-1].loss, abs=0.05)


@pytest.mark.parametrize(
    ("loss", "error", "message"),
    [
        (lambda model, batch: None, TypeError, "got None.*return missing"),
        (lambda model, batch: 3.0, TypeError, "got 3.0"),
        (lambda model, batch: model(batch[0]), ShapeError, r"\(16, 6, 8\).*sum"),
    ],
)
def test_what_is_no_loss_is_refused(loss, error, message):
    trainer = copy_trainer()
    trainer.loss = loss
    with pytest.raises(error, match=message):
        trainer.train(1, progress=False)


def test_a_mean_cannot_be_accumulated():
    model = nn.Linear(3, 1)
    batches = Shuffled((torch.ones(8, 3), torch.ones(8, 1)), 8)
    trainer = Trainer(model, squared_error, batches, adamw(model, 0.1), accumulate=2)
    with pytest.raises(TypeError, match="different counts do not add up"):
        trainer.train(1, progress=False)


@pytest.mark.parametrize("settings", [{"accumulate": 0}, {"clip": 0.0}, {"clip": -1.0}])
def test_settings_without_a_meaning_are_refused(settings):
    with pytest.raises(ValueError, match="accumulate must be at least 1 and clip above 0"):
        copy_trainer(**settings)


@pytest.mark.parametrize("batches", [[torch.ones(2, 3)], DataLoader(torch.ones(4, 3))])
def test_batches_that_are_no_function_of_the_step_are_refused(batches):
    model = small_model()
    with pytest.raises(TypeError, match=f"step → batch, got {type(batches).__name__}"):
        Trainer(model, copy_loss, batches, adamw(model, 0.1))


@pytest.mark.parametrize("supported", [True, False])
def test_half_precision_is_for_gpus_that_compute_in_it(supported, monkeypatch, capsys):
    def is_supported(including_emulation=True):
        return supported or including_emulation

    monkeypatch.setattr(torch.cuda, "is_bf16_supported", is_supported)
    plain = copy_trainer()
    on_gpu = SimpleNamespace(
        parameters=lambda: iter([SimpleNamespace(device=torch.device("cuda"))])
    )
    trainer = Trainer(on_gpu, plain.loss, plain.batches, plain.optimizer, mixed_precision=True)
    assert trainer.mixed_precision is supported
    assert ("no bfloat16 of its own" in capsys.readouterr().out) is not supported
