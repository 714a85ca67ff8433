"""What makes training faster where a machine has it: half precision, a compiler, a GPU."""

from types import SimpleNamespace

import pytest
import torch

from headway.training.compiler import missing_for_compiling
from headway.training.optimizer import adamw
from headway.training.trainer import Trainer
from tests.training.models import assert_same_weights, copy_loss, copy_trainer, small_model


def test_in_mixed_precision_the_model_computes_in_bfloat16_and_its_weights_stay_exact():
    trainer, dtypes = copy_trainer(), set()
    trainer.model[-1].register_forward_hook(lambda *given: dtypes.add(given[-1].dtype))
    trainer.mixed_precision = True  # what the option does where there is a GPU
    trainer.train(60, progress=False)
    assert dtypes == {torch.bfloat16}
    assert {p.dtype for p in trainer.model.parameters()} == {torch.float32}
    assert trainer.history[-1].loss < trainer.history[0].loss / 4


@pytest.mark.skipif(torch.cuda.is_available(), reason="is about machines without a GPU")
def test_half_precision_is_left_out_with_a_notice(capsys):
    plain = copy_trainer()
    assert capsys.readouterr().out == ""
    fast = copy_trainer(mixed_precision=True)
    assert capsys.readouterr().out == "No GPU: training in full precision.\n"
    for trainer in (plain, fast):
        trainer.train(3, progress=False)
    assert_same_weights(plain, fast)


@pytest.mark.parametrize("supported", [True, False])
def test_half_precision_is_for_gpus_that_compute_in_it(supported, monkeypatch, capsys):
    def is_supported(including_emulation=True):
        return supported or including_emulation

    monkeypatch.setattr(torch.cuda, "is_bf16_supported", is_supported)
    weight = SimpleNamespace(device=torch.device("cuda"))
    on_gpu = SimpleNamespace(parameters=lambda: iter([weight]))
    trainer = Trainer(on_gpu, copy_loss, len, adamw(small_model(), 0.1), mixed_precision=True)
    assert trainer.mixed_precision is supported
    assert ("no bfloat16 of its own" in capsys.readouterr().out) is not supported


@pytest.mark.skipif(torch.cuda.is_available(), reason="a GPU brings what compiling needs")
def test_without_a_compiler_it_trains_uncompiled_and_says_what_is_missing(monkeypatch, capsys):
    monkeypatch.setenv("CXX", "no-such-compiler")
    trainer, plain = copy_trainer(compiled=True), copy_trainer()
    said = capsys.readouterr().out
    assert said.startswith("Training without torch.compile, which needs a C++ compiler")
    assert "no-such-compiler" in said
    for each in (trainer, plain):
        each.train(3, progress=False)
    assert_same_weights(plain, trainer)


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
