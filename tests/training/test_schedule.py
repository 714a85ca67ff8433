import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.optim.lr_scheduler import CosineAnnealingLR, LambdaLR

from headway.training.schedule import Cosine, Noam

steps = st.integers(1, 500)


def rates(make_scheduler, number, lr=1.0):
    """The learning rates of the first updates under a scheduler of torch."""
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=lr)
    scheduler, seen = make_scheduler(optimizer), []
    for _ in range(number):
        seen.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    return seen


@given(st.integers(1, 1_024), steps, steps)
def test_noam_is_the_papers_formula_with_its_steps_counted_from_one(width, warmup, step):
    expected = width**-0.5 * min(step**-0.5, step * warmup**-1.5)
    assert Noam(width, warmup)(step - 1) == pytest.approx(expected)


@given(steps)
def test_noam_rises_to_its_highest_at_the_end_of_the_warm_up_and_falls(warmup):
    schedule = Noam(width=64, warmup=warmup)
    curve = [schedule(taken) for taken in range(2 * warmup)]
    assert curve[warmup - 1] == pytest.approx((64 * warmup) ** -0.5)
    assert max(curve) == curve[warmup - 1]
    assert curve[:warmup] == sorted(curve[:warmup])
    assert curve[warmup - 1 :] == sorted(curve[warmup - 1 :], reverse=True)


def test_the_paper_peaks_at_seven_ten_thousandths():
    assert Noam(width=512, warmup=4_000)(3_999) == pytest.approx(6.99e-4, rel=1e-3)


def test_noam_before_the_first_step_is_neither_zero_nor_an_error():
    assert Noam(width=1, warmup=4)(0) == pytest.approx(1 / 8)


def test_the_factor_scales_every_rate():
    assert Noam(64, 10, factor=2.0)(7) == 2 * Noam(64, 10)(7)


@given(st.integers(0, 20), st.integers(1, 60), st.sampled_from([0.0, 0.1, 1.0]))
def test_cosine_rises_to_one_falls_to_the_floor_and_stays(warmup, length, floor):
    total = warmup + length
    schedule = Cosine(warmup, total, floor)
    curve = [schedule(taken) for taken in range(total + 5)]
    assert curve[:warmup] == pytest.approx([s / warmup for s in range(1, warmup + 1)])
    assert curve[warmup:] == sorted(curve[warmup:], reverse=True)
    assert curve[total - 1 :] == pytest.approx([floor] * 6)


def test_cosine_is_half_way_in_the_middle():
    assert Cosine(warmup=10, total=30, floor=0.2)(19) == pytest.approx(0.6)


def test_cosine_without_warm_up_is_torchs_one_step_on():
    ours = rates(lambda optimizer: LambdaLR(optimizer, Cosine(0, 20, floor=0.1)), 19, lr=0.5)
    theirs = rates(lambda optimizer: CosineAnnealingLR(optimizer, 20, eta_min=0.05), 20, lr=0.5)
    assert ours == pytest.approx(theirs[1:])


@pytest.mark.parametrize("schedule", [Noam(64, 5), Cosine(3, 12)])
def test_torch_calls_a_schedule_with_the_steps_taken(schedule):
    seen = rates(lambda optimizer: LambdaLR(optimizer, schedule), 15)
    assert seen == pytest.approx([schedule(taken) for taken in range(15)])
    assert all(rate > 0 and math.isfinite(rate) for rate in seen)


def test_a_checkpoint_remembers_the_schedules_settings():
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=1.0)
    state = LambdaLR(optimizer, Cosine(3, 12, floor=0.25)).state_dict()
    resumed = LambdaLR(optimizer, Cosine(1, 2, floor=0.5))
    resumed.load_state_dict(state)
    assert resumed.lr_lambdas == [Cosine(3, 12, floor=0.25)]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Noam(64, 0), "warmup=0"),
        (lambda: Noam(0, 4), "width=0"),
        (lambda: Cosine(5, 5), "total=5"),
        (lambda: Cosine(-1, 5), "warmup=-1"),
        (lambda: Cosine(0, 5, floor=1.5), "1.5"),
    ],
)
def test_settings_without_a_meaning_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
