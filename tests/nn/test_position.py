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
    RelativeBias,
    RotaryPosition,
    SinusoidalPosition,
    frequencies,
    halves_order,
    rotation,
    sinusoids,
)
from headway.shapes import ShapeError

LENGTH = 40
widths = st.integers(1, 8).map(lambda half: 2 * half)
places = st.integers(0, 500)


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


def noise(*shape, seed=1):
    return torch.randn(*shape, generator=seeded(seed))


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


@given(st.integers(-50, 50), st.integers(-50, 50), widths)
def test_rotations_add_up_and_are_orthogonal(first, second, width):
    turned = rotation(first, width) @ rotation(second, width)
    close(turned, rotation(first + second, width))
    close(turned @ turned.T, torch.eye(width))


def test_no_offset_rotates_nothing():
    assert torch.equal(rotation(0, 6), torch.eye(6))


@given(places, widths)
def test_all_sinusoids_are_equally_long(place, width):
    close(sinusoids(torch.tensor(place), width).norm(), torch.tensor((width / 2) ** 0.5))


def test_sinusoids_are_the_papers_formula_with_sine_and_cosine_side_by_side():
    table = sinusoids(torch.arange(50), 12)
    for p in (0, 1, 7, 49):
        for i in range(6):
            angle = torch.tensor(p / 10_000 ** (2 * i / 12), dtype=torch.float64)
            close(table[p, 2 * i].double(), angle.sin(), 1e-6)
            close(table[p, 2 * i + 1].double(), angle.cos(), 1e-6)


def test_far_positions_are_as_exact_as_near_ones():
    far = torch.tensor(1_000_000)
    assert sinusoids(far, 4)[0].item() == pytest.approx(-0.3499935, abs=1e-6)  # sin(10⁶)


def test_positions_of_any_batch_shape_are_encoded_one_by_one():
    positions = torch.tensor([[0, 3], [5, 1]])
    assert torch.equal(sinusoids(positions, 4)[1, 0], sinusoids(torch.tensor(5), 4))


@pytest.mark.parametrize("function", [frequencies, lambda width: rotation(1, width)])
def test_an_odd_width_is_refused(function):
    with pytest.raises(ShapeError, match="even, got 5"):
        function(5)


@pytest.mark.parametrize("name", ADDED)
@given(st.integers(1, LENGTH - 1), st.integers(1, 3), widths)
def test_a_text_read_in_two_pieces_gets_the_positions_of_the_whole(name, cut, batch, width):
    scheme, x = ADDED[name](width), noise(batch, LENGTH, width)
    pieces = scheme(x[:, :cut]), scheme(x[:, cut:], offset=cut)
    assert torch.equal(torch.cat(pieces, dim=1), scheme(x))


@pytest.mark.parametrize("name", ADDED)
def test_each_sentence_counts_from_its_own_offset_and_padding_takes_row_zero(name):
    scheme, x = ADDED[name](4), noise(3, 5, 4)
    together = scheme(x, offset=torch.tensor([0, 2, -3]))
    assert torch.equal(together[0], scheme(x)[0])
    assert torch.equal(together[1], scheme(x, offset=2)[1])
    assert torch.equal(together[2, 3:], scheme(x[:, 3:])[2])
    assert torch.equal(together[2, :3], x[2, :3] + scheme.table[0])


@pytest.mark.parametrize("name", ADDED)
def test_positions_go_along_time_and_not_along_the_batch(name):
    added = ADDED[name](4)(torch.zeros(LENGTH, LENGTH, 4))  # B = T, where a wrong axis would hide
    assert (added == added[0]).all()
    assert not (added[:, 0] == added[:, 1]).all()


@pytest.mark.parametrize(
    ("name", "parameters"), [("sinusoidal", 0), ("learned", LENGTH * 6), ("hybrid", LENGTH * 6)]
)
def test_each_scheme_has_the_parameters_it_says(name, parameters):
    scheme = ADDED[name](6)
    assert sum(p.numel() for p in scheme.parameters()) == parameters
    assert sum(p.numel() for p in scheme.state_dict().values()) == parameters


def test_hybrid_starts_as_the_sinusoids_and_learns():
    scheme, x = HybridPosition(LENGTH, 6), noise(2, 9, 6)
    assert torch.equal(scheme(x), SinusoidalPosition(LENGTH, 6)(x))
    scheme(x).sum().backward()
    assert scheme.table.grad[:9].abs().min() > 0
    assert scheme.table.grad[9:].abs().max() == 0


def test_learned_positions_are_an_embedding_of_the_place():
    scheme, x = LearnedPosition(LENGTH, 6, seeded()), noise(2, 9, 6)
    table = torch.nn.Embedding.from_pretrained(scheme.table.detach())
    assert torch.equal(scheme(x), x + table(torch.arange(9)))


def test_the_generator_alone_decides_the_start():
    first, again, other = (LearnedPosition(5, 4, seeded(seed)).table for seed in (3, 3, 4))
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


@pytest.mark.parametrize("offset", [1, -1])
@pytest.mark.parametrize("name", ADDED)
def test_positions_outside_the_table_are_refused(name, offset):
    with pytest.raises(ShapeError, match=r"0 … 39"):
        ADDED[name](4)(torch.zeros(1, LENGTH, 4), offset=offset)


def test_vectors_of_another_width_are_refused_with_both_shapes():
    with pytest.raises(ShapeError, match=r"\(2, 3, 4\).*\(40, 6\)"):
        SinusoidalPosition(LENGTH, 6)(torch.zeros(2, 3, 4))


def rotary(width, length=600, pairs="halves"):
    return RotaryPosition(length, frequencies(width), pairs)


both_layouts = pytest.mark.parametrize("pairs", PAIRS)


def at(scheme, x, place):
    """x (1, D), read at one place."""
    return scheme(x, offset=place)


@both_layouts
@given(places, places, st.integers(0, 90), widths)
def test_rotary_scores_depend_on_the_distance_only(pairs, place, other, move, width):
    scheme, query, key = rotary(width, pairs=pairs), noise(1, width), noise(1, width, seed=2)
    score = at(scheme, query, place) @ at(scheme, key, other).T
    moved = at(scheme, query, place + move) @ at(scheme, key, other + move).T
    close(score, moved, 1e-4)


@both_layouts
@given(places, widths)
def test_rotary_changes_no_length_and_nothing_at_position_zero(pairs, place, width):
    scheme, x = rotary(width, pairs=pairs), noise(1, width)
    close(at(scheme, x, place).norm(), x.norm())
    assert torch.equal(at(scheme, x, 0), x)


@both_layouts
@given(st.integers(1, 20), st.integers(0, 30))
def test_rotary_at_frequency_zero_is_no_position(pairs, length, offset):
    scheme, x = RotaryPosition(60, torch.zeros(4), pairs), noise(2, 3, length, 8)
    assert torch.equal(scheme(x, offset), x)


@both_layouts
@given(st.integers(1, 38))
def test_rotary_turns_pieces_as_it_turns_the_whole(pairs, cut):
    scheme, x = rotary(8, pairs=pairs), noise(2, 3, 40, 8)
    assert torch.equal(torch.cat((scheme(x[:, :, :cut]), scheme(x[:, :, cut:], cut)), 2), scheme(x))


def test_rotary_turns_each_pair_of_halves_as_a_complex_number():
    x, angles = noise(7, 6), torch.arange(7)[:, None] * frequencies(6)
    pairs = torch.complex(x[:, :3].double(), x[:, 3:].double())
    turned = pairs * torch.polar(torch.ones_like(angles), angles)
    close(rotary(6)(x), torch.cat((turned.real, turned.imag), dim=-1).float())


@given(places, widths)
def test_the_two_layouts_are_equal_up_to_one_fixed_order_of_the_columns(place, width):
    x, order = noise(3, width), halves_order(width)
    assert order.sort().values.equal(torch.arange(width))
    halves, interleaved = (rotary(width, pairs=pairs)(x, offset=place) for pairs in PAIRS)
    reordered = rotary(width)(x[:, order], offset=place)
    assert torch.equal(reordered, rotary(width, pairs="interleaved")(x, offset=place)[:, order])
    assert torch.equal(halves, interleaved) == (width == 2)


def test_each_layout_turns_the_columns_that_its_name_says():
    x = torch.eye(6)[1].expand(2, 6)  # all of it in column 1
    turned = {pairs: rotary(6, pairs=pairs)(x)[1].nonzero().flatten().tolist() for pairs in PAIRS}
    assert turned == {"halves": [1, 4], "interleaved": [0, 1]}


@given(st.integers(0, 60))
def test_a_query_and_a_key_of_different_layouts_have_scores_that_change_with_the_place(distance):
    query, key = noise(8).expand(200, 8), noise(8, seed=2).expand(200, 8)
    halves, interleaved = (rotary(8, pairs=pairs) for pairs in PAIRS)
    for one, other, constant in ((halves, halves, True), (halves, interleaved, False)):
        scores = (one(query) @ other(key).T).diagonal(distance)
        assert (scores.std().item() < 1e-4) == constant


def test_a_layout_of_another_name_is_refused():
    with pytest.raises(ValueError, match="halves, interleaved; got 'pairs'"):
        rotary(4, pairs="pairs")


def test_an_odd_width_has_no_halves():
    with pytest.raises(ShapeError, match="even, got 5"):
        halves_order(5)


def test_interleaved_rotary_agrees_with_gpt_js():
    x, angles = noise(2, 24, 3, 16), torch.arange(24)[:, None] * frequencies(16)
    theirs = gptj_rotary(x, angles.sin().float()[None], angles.cos().float()[None])
    close(rotary(16, pairs="interleaved")(x.transpose(1, 2)).transpose(1, 2), theirs)


@pytest.mark.parametrize("offset", [0, 11])
def test_rotary_agrees_with_llamas(offset):
    width, length = 16, 24
    config = LlamaConfig(hidden_size=4 * width, num_attention_heads=4)
    query, key = noise(2, 4, length, width), noise(2, 2, length, width, seed=2)
    places = torch.arange(offset, offset + length)[None]
    cos, sin = LlamaRotaryEmbedding(config)(query, places)
    theirs = apply_rotary_pos_emb(query, key, cos, sin)
    for ours, their in zip((query, key), theirs, strict=True):
        close(rotary(width)(ours, offset), their)


def test_half_the_frequencies_stretch_the_context_to_twice_its_length():
    x = noise(1, 8)
    stretched = RotaryPosition(100, frequencies(8) / 2)
    close(at(stretched, x, 60), at(rotary(8), x, 30))


def test_rotary_keeps_the_type_of_half_precision_inputs():
    assert rotary(8)(noise(2, 5, 8).bfloat16()).dtype == torch.bfloat16


def test_rotary_refuses_what_has_not_been_split_into_heads():
    with pytest.raises(ShapeError, match="heads not split"):
        rotary(8)(noise(2, 5, 32))


@given(st.integers(0, 12), st.integers(0, 12), st.integers(0, 6))
def test_relative_bias_looks_up_the_clipped_distance(queries, before, reach):
    bias, keys = RelativeBias(2, reach), before + queries
    bias.table.data = noise(2, 2 * reach + 1)
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


def test_more_queries_than_keys_are_refused():
    with pytest.raises(ShapeError, match="5 queries cannot be the last of 4 keys"):
        RelativeBias(1, 2)(5, 4)


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
    x = noise(2, 9, 4)
    past = x[:, max(0, cut - scheme.lookback) : cut] if scheme.lookback else None
    pieces = scheme(x[:, :cut], 0, None), scheme(x[:, cut:], cut, past)
    close(torch.cat(pieces, dim=1), scheme(x))


def test_the_convolution_is_its_formula():
    scheme, x = convolution(), noise(2, 6, 4)
    scheme.bias.data = noise(4, seed=3)
    for t in range(6):
        words = [scheme.weight[:, j] * x[:, t - j] for j in range(3) if t - j >= 0]
        close(scheme(x)[:, t], x[:, t] + scheme.bias + sum(words))


@given(st.integers(0, 8), st.integers(0, 8), st.integers(0, 12), st.integers(1, 6))
def test_the_convolution_in_pieces_is_the_convolution_of_the_whole(first, second, last, size):
    scheme, x = convolution(size=size), noise(2, first + second + last, 4)
    cut = first + second
    pieces = []
    for start, end in ((0, first), (first, cut), (cut, cut + last)):
        pieces.append(scheme(x[:, start:end], past=x[:, :start]))
    close(torch.cat(pieces, dim=1), scheme(x))
    recent = x[:, max(0, cut - size + 1) : cut]
    close(scheme(x[:, cut:], past=recent), scheme(x)[:, cut:])


@given(st.integers(0, 9))
def test_the_convolution_never_looks_ahead(place):
    scheme, x = convolution(), noise(1, 10, 4)
    other = x.clone()
    other[:, place] += 1
    assert torch.equal(scheme(x)[:, :place], scheme(other)[:, :place])
    assert not torch.equal(scheme(x)[:, place], scheme(other)[:, place])


def test_the_convolution_tells_the_same_words_in_another_order():
    man, beats, boy = noise(3, 4)
    scheme = convolution()
    forth, back = (
        scheme(torch.stack(words)[None]) for words in ([man, beats, boy], [boy, beats, man])
    )
    assert not torch.allclose(forth[0, 2], back[0, 0], atol=1e-2)


def test_the_convolution_refuses_another_width():
    with pytest.raises(ShapeError, match=r"\(1, 5, 6\) needs 4 columns"):
        convolution()(torch.zeros(1, 5, 6))
