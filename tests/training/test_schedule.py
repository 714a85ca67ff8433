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
    assert Noam(width, warmup, factor=2.0)(step - 1) == pytest.approx(2 * expected)


@given(st.integers(0, 20), st.integers(1, 60), st.sampled_from([0.0, 0.1, 1.0]))
def test_cosine_rises_to_one_falls_to_the_floor_and_stays(warmup, length, floor):
    total = warmup + length
    schedule = Cosine(warmup, total, floor)
    curve = [schedule(taken) for taken in range(total + 5)]
    assert curve[:warmup] == pytest.approx([s / warmup for s in range(1, warmup + 1)])
    assert curve[warmup:] == sorted(curve[warmup:], reverse=True)
    assert curve[total - 1 :] == pytest.approx([floor] * 6)


def test_cosine_without_warm_up_is_torchs_one_step_on():
    ours = rates(lambda optimizer: LambdaLR(optimizer, Cosine(0, 20, floor=0.1)), 19, lr=0.5)
    theirs = rates(lambda optimizer: CosineAnnealingLR(optimizer, 20, eta_min=0.05), 20, lr=0.5)
    assert ours == pytest.approx(theirs[1:])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Noam(64, 0), "warmup=0"),
        (lambda: Noam(0, 4), "width=0"),
        (lambda: Cosine(5, 5), "total=5"),
        (lambda: Cosine(0, 5, floor=1.5), "1.5"),
    ],
)
def test_settings_without_a_meaning_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
