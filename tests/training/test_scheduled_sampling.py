import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from headway.shapes import ShapeError
from headway.training.batches import generator_at
from headway.training.scheduled_sampling import mix_inputs
from tests.nn.drawn import seeded

PAD, START, SIZE = 0, 1, 9


def sentences(B=3, T=7, seed=0):
    """Ids (B, T): a start symbol, words, then padding; and logits (B, T, V)."""
    ids = torch.randint(2, SIZE, (B, T), generator=seeded(seed))
    ids[:, 0] = START
    lengths = torch.randint(1, T + 1, (B, 1), generator=seeded(seed + 1))
    ids[torch.arange(T) >= lengths] = PAD
    return ids, torch.randn(B, T, SIZE, generator=seeded(seed + 2))


def mix_by_loops(inputs, logits, probability, generator, padding):
    draw, mixed = torch.rand(inputs.shape, generator=generator), inputs.clone()
    for b, sentence in enumerate(inputs.tolist()):
        for t, token in enumerate(sentence):
            if t == 0 or token == padding or draw[b, t] < probability:
                continue
            said = logits[b, t - 1].argmax().item()
            if said != padding:
                mixed[b, t] = said
    return mixed


@given(st.integers(0, 999), st.sampled_from([0.0, 0.4, 1.0]), st.sampled_from([None, PAD]))
def test_an_input_is_replaced_by_what_the_position_before_predicts(seed, probability, padding):
    inputs, logits = sentences(seed=seed)
    mixed = mix_inputs(inputs, logits, probability, seeded(seed), padding)
    assert mixed.equal(mix_by_loops(inputs, logits, probability, seeded(seed), padding))
    assert inputs.equal(sentences(seed=seed)[0])


@pytest.mark.parametrize("probability", [0.1, 0.5, 0.85])
def test_the_share_of_true_tokens_is_the_probability(probability):
    B, T = 400, 51
    inputs = torch.full((B, T), 2)
    logits = torch.zeros(B, T, SIZE)
    logits[..., 3] = 1.0
    kept = mix_inputs(inputs, logits, probability, seeded())[:, 1:] == 2
    deviation = math.sqrt(probability * (1 - probability) / kept.numel())
    assert kept.double().mean().item() == pytest.approx(probability, abs=4 * deviation)
    by_place = kept.double().mean(0)  # each place and each sentence, by itself
    assert by_place.sub(probability).abs().max() < 5 * deviation * math.sqrt(kept.shape[1])
    neighbors = (kept[:, 1:] == kept[:, :-1]).double().mean().item()
    assert neighbors == pytest.approx(probability**2 + (1 - probability) ** 2, abs=0.02)


def test_the_same_generator_gives_the_same_choice_and_the_global_stream_is_left_alone():
    inputs, logits = sentences(B=50)
    torch.manual_seed(0)
    expected = torch.rand(3)
    torch.manual_seed(0)
    one, other, third = (
        mix_inputs(inputs, logits, 0.5, generator_at(0, step)) for step in (4, 4, 5)
    )
    assert one.equal(other)
    assert not one.equal(third)
    assert torch.rand(3).equal(expected)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (
            lambda: mix_inputs(torch.ones(2, 3).long(), torch.ones(2, 4, 5), 0.5, seeded()),
            ShapeError,
            r"\(2, 3\).*\(2, 4, 5\)",
        ),
        (
            lambda: mix_inputs(torch.ones(2, 3).long(), torch.ones(2, 3, 5), 1.5, seeded()),
            ValueError,
            r"1\.5",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(make, error, message):
    with pytest.raises(error, match=message):
        make()
