from itertools import pairwise

import gguf
import pytest
import torch
from gguf import GGMLQuantizationType as Kind
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from headway.models.language_model import LanguageModel, LanguageModelConfig
from headway.nn.quantization import (
    QuantizedLinear,
    pack,
    quantize,
    quantize_layers,
    quantize_to_extreme,
    relative_error,
    unpack,
)
from headway.shapes import ShapeError
from tests.models.weights import random_ids, redrawn
from tests.nn.drawn import normal, seeded

seeds = st.integers(0, 10_000)
both_rules = pytest.mark.parametrize("rule", [quantize, quantize_to_extreme])
SMALL = LanguageModelConfig(vocabulary=13, context=12, width=32, heads=4, layers=2)


def awkward(seed):
    """Weights (6, 64) of sizes from 1e-6 to 1e3, with ties, halves and a block of zeros."""
    weight = normal(6, 64, seed=seed)
    weight[0, :32] = 0
    weight[1] *= 1e3
    weight[2] *= 1e-3
    weight[3] = weight[3].round()
    weight[4] = torch.randint(-127, 128, (64,), generator=seeded(seed)) / 2
    weight[4, [0, 40]] = 127  # exact halves of the scale
    weight[5, 7] = -weight[5].abs().max()  # two of the largest size, of both signs
    return weight


@given(seeds)
def test_eight_bits_are_the_bytes_of_q8_0(seed):
    weight = awkward(seed)
    numbers, scales, _ = quantize(weight, 8)
    ours = torch.cat((scales.view(torch.uint8), numbers.view(torch.uint8)), dim=-1).flatten(-2)
    theirs = gguf.quantize(weight.numpy(), Kind.Q8_0)
    assert ours.numpy().tobytes() == theirs.tobytes()
    read = gguf.dequantize(theirs, Kind.Q8_0)
    assert quantize(weight, 8).weights().numpy().tobytes() == read.tobytes()


@given(seeds)
def test_four_bits_to_the_extreme_are_the_bytes_of_q4_0(seed):
    weight = awkward(seed)
    numbers, scales, _ = quantize_to_extreme(weight, 4)
    ours = torch.cat((scales.view(torch.uint8), pack(numbers)), dim=-1).flatten(-2)
    theirs = gguf.quantize(weight.numpy(), Kind.Q4_0)
    assert ours.numpy().tobytes() == theirs.tobytes()


@pytest.mark.parametrize(("bits", "kind"), [(4, Kind.Q4_0), (5, Kind.Q5_0)])
def test_fewer_bits_read_back_as_ggufs_own(bits, kind):
    weight = awkward(1)
    read = gguf.dequantize(gguf.quantize(weight.numpy(), kind), kind)
    assert (quantize_to_extreme(weight, bits).weights().numpy() == read).all()


@given(seeds, st.integers(2, 8), st.sampled_from([1, 4, 32, 64]))
def test_absmax_is_off_by_half_a_scale_at_the_most(seed, bits, block):
    weight = awkward(seed)
    rounded = quantize(weight, bits, block)
    assert rounded.numbers.abs().max() <= 2 ** (bits - 1) - 1
    off = (rounded.weights() - weight).abs().unflatten(-1, (-1, block))
    # Beside the half, what the scale itself lost in 16 bits: 2⁻¹¹ of it, or the smallest there is.
    slack = rounded.numbers.abs() * (rounded.scales.float() * 2**-11).abs().clamp(min=2**-25)
    assert (off <= 0.5001 * rounded.scales.float() + 2**-25 + slack * 1.001).all()


@given(seeds, st.integers(2, 8))
def test_the_other_rule_uses_every_number_and_errs_by_a_whole_scale_only_at_its_end(seed, bits):
    weight, half = normal(40, 32, seed=seed), 2 ** (bits - 1)
    rounded = quantize_to_extreme(weight, bits)
    assert rounded.numbers.min() == -half
    assert rounded.numbers.max() <= half - 1
    off = (rounded.weights() - weight).abs().unflatten(-1, (-1, 32)) / rounded.scales.abs().float()
    within = rounded.numbers < half - 1
    assert off[within].max() <= 0.5 + half * 2**-10
    assert off.max() <= 1 + half * 2**-10


@both_rules
def test_rounded_again_nothing_moves(rule):
    once = rule(normal(8, 64), 4).weights()
    assert torch.allclose(rule(once, 4).weights(), once, rtol=1e-3)


def test_each_bit_more_halves_the_error_and_shorter_blocks_have_less_of_it():
    weight = normal(64, 512)
    errors = [relative_error(weight, quantize(weight, b).weights()) for b in (4, 5, 6, 7, 8)]
    for more, fewer in pairwise(errors):
        assert 1.9 < more / fewer < 2.2
    sizes = (8, 16, 32, 128, 512)
    errors = [relative_error(weight, quantize(weight, 4, n).weights()) for n in sizes]
    assert errors == sorted(errors)


def test_an_outlier_costs_its_own_block_and_no_other():
    weight = normal(1, 128)
    before = quantize(weight, 4).weights()
    weight[0, 40] = 100.0
    after = quantize(weight, 4).weights()
    kept = torch.cat((after[:, :32], after[:, 64:]), dim=1)
    assert kept.equal(torch.cat((before[:, :32], before[:, 64:]), dim=1))
    assert after[0, 40] == pytest.approx(100, rel=1e-3)
    assert after[0, 32:64].count_nonzero() == 1  # all its neighbors are gone
    assert quantize(weight, 4, 128).weights().count_nonzero() == 1


@pytest.mark.parametrize(
    ("bits", "block", "bytes_each"), [(8, 32, 1.0625), (4, 32, 0.5625), (4, 64, 0.53125)]
)
def test_a_weight_takes_its_bits_and_its_share_of_a_scale(bits, block, bytes_each):
    rounded = quantize(normal(6, 128), bits, block)
    assert rounded.bytes / (6 * 128) == bytes_each


@pytest.mark.parametrize(("kind", "bits"), [(Kind.Q8_0, 8), (Kind.Q4_0, 4)])
def test_the_bytes_are_those_of_a_file(kind, bits):
    weight = normal(6, 128)
    assert quantize(weight, bits).bytes == gguf.quantize(weight.numpy(), kind).nbytes


@both_rules
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize(("bits", "block"), [(8, 32), (5, 16), (4, 32), (4, 1), (2, 96)])
def test_a_layer_is_the_linear_layer_of_the_rounded_weights(bits, block, bias, rule):
    linear, x = nn.Linear(96, 10, bias), normal(2, 5, 96)
    layer = QuantizedLinear(linear, bits, block, rule)
    rounded = rule(linear.weight.detach(), bits, block).weights()
    torch.testing.assert_close(layer(x), nn.functional.linear(x, rounded, linear.bias))


def test_a_layer_holds_what_the_formula_counts():
    linear = nn.Linear(96, 10, bias=False)
    for bits in (4, 8):
        held = sum(part.nbytes for part in QuantizedLinear(linear, bits).buffers())
        assert held == quantize(linear.weight.detach(), bits).bytes


@torch.inference_mode()
def test_a_model_of_quantized_layers_is_the_model_of_the_rounded_weights():
    model = redrawn(LanguageModel(SMALL, seeded()))
    ids, rounded = random_ids(13, 2, 12), redrawn(LanguageModel(SMALL, seeded()))
    for layer in rounded.modules():
        if isinstance(layer, nn.Linear):
            layer.weight.copy_(quantize(layer.weight, 4).weights())
    assert quantize_layers(model, 4) == 4 * SMALL.layers
    assert not any(isinstance(layer, nn.Linear) for layer in model.modules())
    torch.testing.assert_close(model(ids), rounded(ids), atol=1e-5, rtol=1e-4)


@given(seeds)
def test_packed_numbers_come_back(seed):
    numbers = torch.randint(-8, 8, (3, 2, 32), generator=seeded(seed)).to(torch.int8)
    assert pack(numbers).shape == (3, 2, 16)
    assert unpack(pack(numbers)).equal(numbers)


@both_rules
def test_what_cannot_be_rounded_is_refused(rule):
    with pytest.raises(ShapeError, match=r"\(3, 40\).*blocks of 32.*multiple"):
        rule(normal(3, 40), 8)
    with pytest.raises(ShapeError, match="blocks of 0"):
        rule(normal(3, 40), 8, 0)
    for bits in (1, 9):
        with pytest.raises(ValueError, match=f"from 2 to 8 bits, got {bits}"):
            rule(normal(3, 32), bits)
    with pytest.raises(ValueError, match="inf or nan"):
        rule(torch.full((32,), torch.nan), 8)
    with pytest.raises(ValueError, match="65,504"):
        rule(torch.full((32,), 1e8), 8)


def test_a_layer_refuses_another_width():
    with pytest.raises(ShapeError, match=r"\(2, 64\).*\(\.\.\., 96\)"):
        QuantizedLinear(nn.Linear(96, 10), 8)(normal(2, 64))
