import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from headway.shapes import ShapeError
from headway.training.loss import IGNORE
from headway.training.masking import mask_tokens
from tests.nn.drawn import seeded

MASK, WORDS = 3, range(4, 104)  # 0 … 3 are special, as is 104
SPECIAL = [0, 1, 2, 104]


def texts(B, T, seed=0):
    """Ids of words, with special tokens here and there."""
    ids = torch.randint(4, 104, (B, T), generator=seeded(seed))
    special = torch.tensor(SPECIAL)[torch.randint(4, (B, T), generator=seeded(seed + 1))]
    return torch.where(torch.rand(B, T, generator=seeded(seed + 2)) < 0.3, special, ids)


@given(st.integers(0, 10_000), st.floats(0, 1))
def test_targets_are_the_original_words_and_nothing_else_changes(seed, share):
    ids = texts(4, 9, seed)
    before = ids.clone()
    inputs, targets = mask_tokens(ids, MASK, WORDS, seeded(seed), share=share)
    chosen = targets != IGNORE
    assert ids.equal(before)
    assert targets[chosen].equal(ids[chosen])
    assert inputs[~chosen].equal(ids[~chosen])
    assert not torch.isin(ids[chosen], torch.tensor(SPECIAL)).any()
    assert not torch.isin(inputs[chosen], torch.tensor(SPECIAL)).any()


def test_the_shares_are_those_of_the_paper_and_random_words_are_any_words_alike():
    n, ids = 400_000, torch.full((4_000, 100), 50)
    inputs, targets = mask_tokens(ids, MASK, WORDS, seeded())
    chosen, masked = targets != IGNORE, inputs == MASK
    kept = chosen & (inputs == ids)
    replaced = chosen & ~masked & ~kept
    for seen, share in (
        (chosen, 0.15),
        (masked, 0.15 * 0.8),
        (replaced, 0.15 * 0.1 * 99 / 100),  # one random word in a hundred is the same again
        (kept, 0.15 * (0.1 + 0.1 / 100)),
        *((inputs == word, 0.15 * 0.1 / 100) for word in WORDS if word != 50),
    ):
        spread = (n * share * (1 - share)) ** 0.5
        assert abs(seen.sum().item() - n * share) < 5 * spread


@pytest.mark.parametrize("dtype", [torch.int32, torch.int64])
@pytest.mark.parametrize("shape", [(7,), (2, 7), (0, 7), (2, 3, 7)])
def test_everything_can_be_masked_and_shape_and_type_stay(shape, dtype):
    ids = torch.full(shape, 50, dtype=dtype)
    inputs, targets = mask_tokens(ids, MASK, WORDS, seeded(), share=1, masked=1, replaced=0)
    assert inputs.equal(torch.full_like(ids, MASK))
    assert targets.equal(ids.long())
    assert targets.dtype == torch.int64


def test_each_token_is_drawn_by_itself():
    """In a batch of equal texts, places differ from text to text and choices within a text."""
    ids = torch.full((500, 200), 50)
    inputs, targets = mask_tokens(ids, MASK, WORDS, seeded())
    chosen = (targets != IGNORE).float()
    # were a text, a place or a batch drawn at once, these spreads would be far larger
    for axis, size in ((0, 500), (1, 200)):
        assert chosen.mean(axis).var() < 1.5 * 0.15 * 0.85 / size
    masked = (inputs == MASK).float().mean(1)
    assert masked.var() < 1.5 * 0.12 * 0.88 / 200
    pairs = chosen[:, 1:] * chosen[:, :-1]  # neighbors chosen together
    assert pairs.mean().item() == pytest.approx(0.15**2, rel=0.1)


def test_only_what_may_be_masked_is():
    ids, maskable = texts(20, 50), torch.rand(20, 50, generator=seeded()) < 0.5
    _, targets = mask_tokens(ids, MASK, WORDS, seeded(), maskable, share=1)
    words = (ids >= 4) & (ids < 104)
    assert (targets != IGNORE).equal(words & maskable)


def test_the_seed_decides_and_the_next_draw_differs():
    ids, chance = texts(5, 40), seeded(1)
    first, again = mask_tokens(ids, MASK, WORDS, chance), mask_tokens(ids, MASK, WORDS, chance)
    same = mask_tokens(ids, MASK, WORDS, seeded(1))
    assert all(map(torch.equal, first, same))
    assert not first[1].equal(again[1])


IDS = torch.full((2, 5), 50)


@pytest.mark.parametrize(
    ("named", "error", "message"),
    [
        ({"share": 1.5}, ValueError, "share=1.5"),
        ({"masked": 0.95}, ValueError, "masked=0.95, replaced=0.1"),
        ({"words": range(5, 5)}, ValueError, r"range\(5, 5\)"),
        ({"words": range(100)}, ValueError, r"without that of \[MASK\], 3"),
        (
            {"maskable": torch.ones(2, 1, 1, 5).bool()},
            ShapeError,
            r"\(2, 1, 1, 5\) and ids \(2, 5\)",
        ),
        ({"maskable": torch.ones(2, 5)}, TypeError, "expected torch.bool"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(named, error, message):
    with pytest.raises(error, match=message):
        mask_tokens(IDS, **({"mask_id": MASK, "words": WORDS, "generator": seeded()} | named))
