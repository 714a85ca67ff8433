import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from headway.shapes import ShapeError
from headway.training.batches import Shuffled, Windows, in_order, move, split

sizes = st.integers(1, 12)


@given(sizes, sizes, st.integers(0, 99))
def test_every_row_comes_once_an_epoch_and_every_batch_is_full(rows, size, seed):
    batches = Shuffled((torch.arange(rows),), size, seed)
    drawn = [batches(step)[0] for step in range(2 * rows)]  # 2·size epochs
    assert {len(batch) for batch in drawn} == {size}
    epochs = torch.cat(drawn).view(-1, rows)
    assert epochs.sort(dim=1).values.equal(torch.arange(rows).expand(len(epochs), -1))


@given(st.integers(0, 60))
def test_a_batch_is_the_same_whatever_was_asked_before(step):
    tensors = (torch.arange(10), torch.arange(10) * 2)
    used = Shuffled(tensors, 4, seed=3)
    for earlier in (7, 0, step + 9):
        used(earlier)
    inputs, targets = used(step)
    assert inputs.equal(Shuffled(tensors, 4, seed=3)(step)[0])
    assert targets.equal(2 * inputs)


@given(st.integers(0, 99))
def test_the_targets_of_a_window_are_its_inputs_one_token_on(step):
    windows = Windows(torch.arange(40), length=7, size=500)
    inputs, targets = windows(step)
    assert inputs.shape == targets.shape == (500, 7)
    assert targets.equal(inputs + 1)  # the tokens count up
    assert set(inputs[:, 0].tolist()) == set(range(33))  # they start everywhere they fit
    assert inputs.equal(windows(step)[0])


def test_each_epoch_and_each_seed_has_an_order_of_its_own():
    rows = torch.arange(50)
    batches = [Shuffled((rows,), 50, seed)(step)[0] for seed in (0, 1) for step in (0, 1)]
    assert len({tuple(batch.tolist()) for batch in [rows, *batches]}) == 5


@given(sizes, sizes)
def test_held_out_rows_come_in_order_and_once(rows, size):
    tensors = (torch.arange(rows), torch.randn(rows, 2))
    batches = in_order(tensors, size)
    assert all(len(batch[0]) == size for batch in batches[:-1])
    for tensor, parts in zip(tensors, zip(*batches, strict=True), strict=True):
        assert torch.cat(parts).equal(tensor)


@given(sizes, sizes)
def test_parts_of_a_batch_are_nearly_equal_and_make_it_up(rows, parts):
    batch = {"ids": torch.arange(rows), "step": 7, "pair": (torch.zeros(rows, 2), None)}
    cut = split(batch, parts)
    assert len(cut) == min(parts, rows)
    lengths = [len(part["ids"]) for part in cut]
    assert max(lengths) - min(lengths) <= 1
    assert torch.cat([part["ids"] for part in cut]).equal(batch["ids"])
    assert all(len(p["pair"][0]) == n for p, n in zip(cut, lengths, strict=True))
    assert {part["step"] for part in cut} == {7}


def test_moving_keeps_the_form_of_a_batch():
    batch = {"ids": torch.zeros(2), "more": [torch.ones(3), "name"], "pair": (torch.ones(1), 4)}
    moved = move(batch, torch.device("meta"))
    assert moved["ids"].is_meta
    assert moved["more"][0].is_meta
    assert moved["more"][1] == "name"
    assert moved["pair"][1] == 4


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: Shuffled((torch.ones(3), torch.ones(4)), 2), ShapeError, r"\(3,\), \(4,\)"),
        (lambda: Shuffled((), 2), ValueError, "a row at least"),
        (lambda: Shuffled(torch.ones(4, 3), 2), TypeError, r"got one tensor \(4, 3\)"),
        (lambda: Windows([1, 2, 3], 2, 2), TypeError, r"tensor \(N,\), got list"),
        (lambda: Shuffled((torch.ones(3),), 0), ValueError, "size=0"),
        (lambda: Shuffled((torch.ones(3),), 1, seed=-1), ValueError, "seed=-1"),
        (lambda: Windows(torch.arange(7), 7, 2), ShapeError, r"\(7,\).*at least 8"),
        (lambda: Windows(torch.arange(7), 0, 2), ValueError, "length=0"),
    ],
)
def test_data_that_gives_no_batches_is_refused(make, error, message):
    with pytest.raises(error, match=message):
        make()
