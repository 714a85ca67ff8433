import itertools

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers.models.gptj.modeling_gptj import apply_rotary_pos_emb as gptj_rotary
from transformers.models.llama.configuration_llama import LlamaConfig
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding, apply_rotary_pos_emb
from transformers.models.t5.configuration_t5 import T5Config
from transformers.models.t5.modeling_t5 import T5Attention

from headway.nn.position import (
    PAIRS,
    ConvolutionalPosition,
    HybridPosition,
    LearnedPosition,
    PartialRotaryPosition,
    RelativeBias,
    RotaryPosition,
    SinusoidalPosition,
    frequencies,
    halves_order,
    rotation,
    sinusoids,
)
from headway.shapes import ShapeError
from tests.nn.drawn import normal, seeded

LENGTH = 40
widths = st.integers(1, 8).map(lambda half: 2 * half)
places = st.integers(0, 500)


def close(a, b, atol=1e-5):
    torch.testing.assert_close(a, b, atol=atol, rtol=0)


ADDED = {
    "sinusoidal": lambda width: SinusoidalPosition(LENGTH, width),
    "learned": lambda width: LearnedPosition(LENGTH, width, seeded()),
    "hybrid": lambda width: HybridPosition(LENGTH, width),
}


@given(places, st.integers(-100, 100), widths)
def test_moving_by_an_offset_rotates_the_sinusoids(place, offset, width):
    here, there = sinusoids(torch.tensor([place, place + offset]), width)
    close(rotation(offset, width) @ here, there)


def test_sinusoids_are_the_papers_formula_with_sine_and_cosine_side_by_side():
    positions = torch.tensor([[0, 1, 7], [49, 3, 1_000_000]])  # far ones are as exact as near ones
    table = sinusoids(positions, 12)
    for i in range(6):
        angles = positions.double() / 10_000 ** (2 * i / 12)
        close(table[..., 2 * i].double(), angles.sin(), 1e-6)
        close(table[..., 2 * i + 1].double(), angles.cos(), 1e-6)


@pytest.mark.parametrize("name", ADDED)
def test_each_sentence_counts_from_its_own_offset_and_padding_takes_row_zero(name):
    scheme, x = ADDED[name](4), normal(3, 5, 4)
    together = scheme(x, offset=torch.tensor([0, 2, -3]))
    assert torch.equal(together[0], scheme(x)[0])
    assert torch.equal(together[1], scheme(x, offset=2)[1])
    assert torch.equal(together[2, 3:], scheme(x[:, 3:])[2])
    assert torch.equal(together[2, :3], x[2, :3] + scheme.table[0])


@pytest.mark.parametrize(
    ("name", "parameters"), [("sinusoidal", 0), ("learned", LENGTH * 6), ("hybrid", LENGTH * 6)]
)
def test_each_scheme_has_the_parameters_it_says(name, parameters):
    scheme = ADDED[name](6)
    assert sum(p.numel() for p in scheme.parameters()) == parameters
    assert sum(p.numel() for p in scheme.state_dict().values()) == parameters


def test_hybrid_starts_as_the_sinusoids_and_learns():
    scheme, x = HybridPosition(LENGTH, 6), normal(2, 9, 6)
    assert torch.equal(scheme(x), SinusoidalPosition(LENGTH, 6)(x))
    scheme(x).sum().backward()
    assert scheme.table.grad[:9].abs().min() > 0
    assert scheme.table.grad[9:].abs().max() == 0


def test_learned_positions_are_an_embedding_of_the_place_drawn_from_the_generator():
    scheme, x = LearnedPosition(LENGTH, 6, seeded()), normal(2, 9, 6)
    table = torch.nn.Embedding.from_pretrained(scheme.table.detach())
    assert torch.equal(scheme(x), x + table(torch.arange(9)))
    assert torch.equal(scheme.table, LearnedPosition(LENGTH, 6, seeded()).table)
    assert not torch.equal(scheme.table, LearnedPosition(LENGTH, 6, seeded(1)).table)


@pytest.mark.parametrize("offset", [1, -1])
@pytest.mark.parametrize("name", ADDED)
def test_positions_outside_the_table_are_refused(name, offset):
    with pytest.raises(ShapeError, match=r"0 … 39"):
        ADDED[name](4)(torch.zeros(1, LENGTH, 4), offset=offset)


def rotary(width, length=600, pairs="halves"):
    return RotaryPosition(length, frequencies(width), pairs)


@pytest.mark.parametrize("pairs", PAIRS)
@given(st.integers(1, 38))
def test_rotary_turns_pieces_as_it_turns_the_whole(pairs, cut):
    scheme, x = rotary(8, pairs=pairs), normal(2, 3, 40, 8)
    assert torch.equal(torch.cat((scheme(x[:, :, :cut]), scheme(x[:, :, cut:], cut)), 2), scheme(x))


@given(places, widths)
def test_the_two_layouts_are_equal_up_to_one_fixed_order_of_the_columns(place, width):
    x, order = normal(3, width), halves_order(width)
    assert order.sort().values.equal(torch.arange(width))
    halves, interleaved = (rotary(width, pairs=pairs)(x, offset=place) for pairs in PAIRS)
    reordered = rotary(width)(x[:, order], offset=place)
    assert torch.equal(reordered, rotary(width, pairs="interleaved")(x, offset=place)[:, order])
    assert torch.equal(halves, interleaved) == (width == 2)


@pytest.mark.parametrize("pairs", PAIRS)
def test_a_partial_rotary_turns_the_first_columns_and_leaves_the_others(pairs):
    turn, x = rotary(4, pairs=pairs), normal(2, 3, 5, 10)
    turned = PartialRotaryPosition(turn)(x, offset=7)
    assert turned[..., :4].equal(turn(x[..., :4], offset=7))
    assert turned[..., 4:].equal(x[..., 4:])
    with pytest.raises(ShapeError, match="vectors of 3"):
        PartialRotaryPosition(turn)(x[..., :3])


def test_interleaved_rotary_agrees_with_gpt_js():
    x, angles = normal(2, 24, 3, 16), torch.arange(24)[:, None] * frequencies(16)
    theirs = gptj_rotary(x, angles.sin().float()[None], angles.cos().float()[None])
    close(rotary(16, pairs="interleaved")(x.transpose(1, 2)).transpose(1, 2), theirs)


@pytest.mark.parametrize("offset", [0, 11])
def test_rotary_agrees_with_llamas(offset):
    width, length = 16, 24
    config = LlamaConfig(hidden_size=4 * width, num_attention_heads=4)
    query, key = normal(2, 4, length, width), normal(2, 2, length, width, seed=2)
    places = torch.arange(offset, offset + length)[None]
    cos, sin = LlamaRotaryEmbedding(config)(query, places)
    theirs = apply_rotary_pos_emb(query, key, cos, sin)
    for ours, their in zip((query, key), theirs, strict=True):
        close(rotary(width)(ours, offset), their)


def test_rotary_keeps_the_type_of_half_precision_inputs():
    assert rotary(8)(normal(2, 5, 8).bfloat16()).dtype == torch.bfloat16


@given(st.integers(0, 12), st.integers(0, 12), st.integers(0, 6))
def test_relative_bias_looks_up_the_clipped_distance(queries, before, reach):
    bias, keys = RelativeBias(2, reach), before + queries
    bias.table.data = normal(2, 2 * reach + 1)
    numbers = bias(queries, keys)
    assert numbers.shape == (2, queries, keys)
    for t in range(queries):
        for s in range(keys):
            distance = max(-reach, min(reach, s - (before + t)))
            assert torch.equal(numbers[:, t, s], bias.table[:, distance + reach])


def test_a_relative_bias_starts_as_no_position_and_learns_each_distance():
    bias = RelativeBias(2, 3)
    assert bias(4, 4).abs().max() == 0
    bias(4, 4).sum().backward()
    assert bias.table.grad[0].tolist() == [1, 2, 3, 4, 3, 2, 1]


def test_relative_bias_agrees_with_t5_below_a_quarter_of_its_buckets():
    heads, reach = 3, 7
    config = T5Config(num_heads=heads, d_model=12, d_kv=4, relative_attention_num_buckets=32)
    theirs = T5Attention(config, has_relative_attention_bias=True, layer_idx=0)
    buckets = theirs.relative_attention_bias.weight.T  # (H, 32): 0 … past, 16 + d the future
    bias = RelativeBias(heads, reach)
    past, future = buckets[:, : reach + 1].flip(1), buckets[:, 17 : 17 + reach]
    bias.table.data = torch.cat((past, future), dim=1).detach()
    torch.testing.assert_close(bias(8, 8), theirs.compute_bias(8, 8)[0])


def convolution(width=4, size=3):
    return ConvolutionalPosition(width, size, seeded())


@pytest.mark.parametrize(
    "scheme",
    [
        SinusoidalPosition(9, 4),
        LearnedPosition(9, 4, seeded()),
        HybridPosition(9, 4),
        convolution(size=1),
        convolution(size=3),
    ],
)
@given(st.integers(0, 9))
def test_what_works_on_embeddings_goes_on_from_an_offset_and_as_much_past_as_it_reads(scheme, cut):
    x = normal(2, 9, 4)
    past = x[:, max(0, cut - scheme.lookback) : cut] if scheme.lookback else None
    pieces = scheme(x[:, :cut], 0, None), scheme(x[:, cut:], cut, past)
    close(torch.cat(pieces, dim=1), scheme(x))


def test_the_convolution_is_its_formula():
    scheme, x = convolution(), normal(2, 6, 4)
    scheme.bias.data = normal(4, seed=3)
    for t in range(6):
        words = [scheme.weight[:, j] * x[:, t - j] for j in range(3) if t - j >= 0]
        close(scheme(x)[:, t], x[:, t] + scheme.bias + sum(words))


@given(st.integers(0, 8), st.integers(0, 8), st.integers(0, 12), st.integers(1, 6))
def test_the_convolution_in_pieces_is_the_convolution_of_the_whole(first, second, last, size):
    scheme, x = convolution(size=size), normal(2, first + second + last, 4)
    ends = (0, first, first + second, first + second + last)
    pieces = [scheme(x[:, a:b], past=x[:, :a]) for a, b in itertools.pairwise(ends)]
    close(torch.cat(pieces, dim=1), scheme(x))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: frequencies(5), ShapeError, "even, got 5"),
        (lambda: rotation(1, 5), ShapeError, "even, got 5"),
        (lambda: halves_order(5), ShapeError, "even, got 5"),
        (
            lambda: SinusoidalPosition(LENGTH, 6)(torch.zeros(2, 3, 4)),
            ShapeError,
            r"\(2, 3, 4\).*\(40, 6\)",
        ),
        (lambda: rotary(4, pairs="pairs"), ValueError, "halves, interleaved; got 'pairs'"),
        (lambda: rotary(8)(normal(2, 5, 32)), ShapeError, "heads not split"),
        (lambda: RelativeBias(1, 2)(5, 4), ShapeError, "5 queries .* the last of 4 keys"),
        (lambda: convolution()(torch.zeros(1, 5, 6)), ShapeError, r"\(1, 5, 6\) needs 4 columns"),
    ],
)
def test_what_does_not_fit_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()
