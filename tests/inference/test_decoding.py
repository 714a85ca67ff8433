import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import GPT2Config, GPT2LMHeadModel

from headway.inference.beam import beam_search
from headway.inference.decoding import (
    Sampling,
    generate,
    greedy,
    stream,
)
from headway.inference.predictor import Uncached
from headway.shapes import ShapeError
from tests.inference.tables import Reads, random_table
from tests.models.weights import random_ids

seeds = st.integers(0, 10_000)
PROMPT = torch.tensor([[0, 1], [1, 0], [3, 3]])


def chance(seed=0, device="cpu"):
    return torch.Generator(device).manual_seed(seed)


def sampling(seed=0, **given):
    return Sampling(generator=chance(seed), **given)


@pytest.mark.parametrize("seed", range(2))
def test_greedy_agrees_with_hugging_face(seed):
    torch.manual_seed(seed)
    config = GPT2Config(
        vocab_size=13, n_positions=32, n_embd=16, n_layer=2, n_head=2, initializer_range=0.4
    )
    model, prompt = GPT2LMHeadModel(config).eval(), random_ids(13, 4, 3, seed)
    for end in (None, 2, 7):
        expected = model.generate(
            prompt,
            attention_mask=torch.ones_like(prompt),
            max_new_tokens=12,
            do_sample=False,
            eos_token_id=end,
            pad_token_id=5,
        )
        ours = generate(Uncached(lambda ids: model(ids).logits), prompt, 12, end=end, padding=5)
        assert ours.equal(expected)


def test_of_equally_likely_tokens_greedy_takes_the_lowest_id():
    assert greedy(torch.tensor([[1.0, 2, 2, 0, 2]])).tolist() == [1]


@given(seeds, st.integers(1, 8), st.sampled_from([None, 9]))
def test_rows_that_have_ended_get_padding_and_generation_stops_with_the_last(seed, steps, padding):
    # Token 9 is the padding: the table has a row for it, but never proposes it.
    table, prompt = random_table(seed, 10, 1), torch.tensor([[0, 1], [1, 2], [2, 3]])
    table[:, 4:] = -torch.inf
    free, predictor = generate(Reads(table), prompt, steps), Reads(table)
    ids, longest = generate(predictor, prompt, steps, end=2, padding=padding), 0
    for row, whole in zip(ids[:, 2:].tolist(), free[:, 2:].tolist(), strict=True):
        length = whole.index(2) + 1 if 2 in whole else steps
        assert row[:length] == whole[:length]
        assert set(row[length:]) <= {2 if padding is None else padding}
        longest = max(longest, length)
    assert ids.shape[1] == 2 + longest
    assert predictor.fed == [(3, 2)] + [(3, 1)] * (longest - 1)


@given(seeds, st.integers(0, 5))
def test_a_stream_yields_what_generate_appends(seed, steps):
    table = random_table(seed, 4, 1)
    streamed = list(stream(Reads(table), PROMPT, steps, sampling(seed), end=2))
    ids = generate(Reads(table), PROMPT, steps, sampling(seed), end=2)
    assert ids.equal(torch.stack([*PROMPT.T, *streamed], dim=1))


def test_a_stream_chooses_no_further_than_it_is_asked_to():
    predictor = Reads(random_table(0, 4, 1))
    tokens = stream(predictor, PROMPT, 1000)
    next(tokens), next(tokens)
    assert len(predictor.fed) == 2
    assert not torch.is_inference_mode_enabled()


def test_no_gradient_is_recorded_and_the_ids_can_be_trained_on():
    weight = torch.randn(4, 4, generator=chance()).requires_grad_()
    seen = []

    def model(ids):
        seen.append(weight[ids].requires_grad)
        return weight[ids]

    ids = generate(Uncached(model), PROMPT, 3)
    assert not any(seen)
    assert not ids.is_inference()
    torch.nn.functional.embedding(ids, weight).sum().backward()


@given(seeds)
def test_the_same_seed_draws_the_same_tokens_and_global_chance_is_not_touched(seed):
    table = random_table(seed, 6, 1, spread=0.5)
    before = torch.get_rng_state()
    first, again, other = (
        generate(Reads(table), PROMPT, 20, sampling(s)) for s in (seed, seed, seed + 1)
    )
    assert first.equal(again)
    assert not first.equal(other)
    assert torch.get_rng_state().equal(before)


def test_a_small_temperature_overflows_no_half_precision():
    logits = torch.tensor([[20.0, 30.0, -60.0]]).half()
    assert sampling(temperature=1e-4)(logits, torch.zeros(1, 1).long()).item() == 1
    assert sampling(temperature=1e-30)(logits, torch.zeros(1, 1).long()).item() == 1


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_tokens_are_drawn_from_16_bit_logits_as_from_the_same_numbers_in_32(dtype):
    logits = torch.randn(2000, 50, generator=chance()).to(dtype)
    ids = torch.zeros(2000, 1, dtype=torch.int64)
    assert sampling(1)(logits, ids).equal(sampling(1)(logits.float(), ids))


@pytest.mark.parametrize(
    "filters",
    [
        {},
        {"temperature": 0.5},
        {"temperature": 0.8, "top_k": 4, "top_p": 0.9, "repetition_penalty": 1.3},
    ],
)
def test_tokens_are_drawn_as_often_as_the_filtered_distribution_says(filters):
    count = 20_000
    logits = torch.tensor([[1.0, -0.5, 2.0, 0.3, -2.0, 0.0]])
    ids = torch.tensor([[2, 5, 2]])
    choose = sampling(7, **filters)
    expected = choose.filtered(logits, ids).double().softmax(-1)[0]
    drawn = choose(logits.expand(count, -1), ids.expand(count, -1))
    times = drawn.bincount(minlength=6)
    assert (times[expected == 0] == 0).all()
    sigma = (count * expected * (1 - expected)).sqrt()
    assert ((times - count * expected).abs() <= 5 * sigma).all()
    # All together: the mean of a chi-square is its degrees of freedom, its variance twice that.
    inside = expected > 0
    freedom = int(inside.sum()) - 1
    chi_square = ((times - count * expected)[inside] ** 2 / (count * expected[inside])).sum()
    assert abs(chi_square - freedom) <= 5 * math.sqrt(2 * freedom)


def test_filters_apply_in_their_order():
    # The penalty halves the logit 4 before the temperature doubles what is left: 4 and 3.
    logits, ids = torch.tensor([[4.0, 1.5, -1.0]]), torch.tensor([[0]])
    choose = sampling(repetition_penalty=2.0, temperature=0.5, top_k=2)
    assert choose.filtered(logits, ids).tolist() == [[4.0, 3.0, -torch.inf]]
    # top-k before top-p: of the two that are left, the first holds two thirds.
    logits = torch.tensor([[0.4, 0.2, 0.15, 0.15, 0.1]]).log()
    kept = sampling(top_k=2, top_p=0.65).filtered(logits, ids)
    assert kept.isfinite().tolist() == [[True, False, False, False, False]]


def test_the_penalty_sees_the_prompt_and_what_was_chosen():
    # A token more likely than the others, five tokens: each is taken once before any again.
    table, prompt = torch.tensor([1.6, 1.5, 1.4, 1.3, 1.2]).expand(5, -1), torch.tensor([[2], [4]])
    assert generate(Reads(table), prompt, 4)[:, 1:].eq(0).all()
    ids = generate(Reads(table), prompt, 4, sampling(repetition_penalty=10.0, top_k=1))
    assert ids.tolist() == [[2, 0, 1, 3, 4], [4, 0, 1, 2, 3]]


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_a_generator_of_any_device_serves_a_model_on_a_gpu(device):
    table, prompt = random_table(0, 6, 1).cuda(), PROMPT.cuda()
    first, again = (
        generate(Reads(table), prompt, 8, Sampling(generator=chance(1, device), top_k=3), end=2)
        for _ in range(2)
    )
    assert first.is_cuda
    assert first.equal(again)
    if device == "cpu":
        on_cpu = generate(Reads(table.cpu()), PROMPT, 8, sampling(1, top_k=3), end=2)
        assert first.cpu().equal(on_cpu)


TABLE, NO_MODEL = Reads(random_table(0, 4, 1)), r"a Linear is no predictor; Uncached\(model\) makes"


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: sampling(temperature=0), ValueError, "greedy"),
        (lambda: sampling(top_k=0), ValueError, "k = 0"),
        (lambda: sampling(top_p=0), ValueError, "got 0"),
        (lambda: sampling(repetition_penalty=-1.0), ValueError, "got -1"),
        (lambda: Sampling(generator=7), TypeError, r"torch\.Generator, got 7"),
        (lambda: generate(TABLE, PROMPT, -1), ValueError, "got -1"),
        (lambda: generate(TABLE, PROMPT[0], 3), ShapeError, r"\(2,\).*batch dimension"),
        (lambda: generate(TABLE, [0, 1], 3), TypeError, "got list"),
        (lambda: generate(torch.nn.Linear(2, 2), PROMPT, 3), TypeError, NO_MODEL),
        (lambda: beam_search(torch.nn.Linear(2, 2), PROMPT, 3, 2), TypeError, NO_MODEL),
        (lambda: sampling()(torch.full((2, 3), -torch.inf), PROMPT), ValueError, "no distribut"),
        (lambda: sampling()(torch.full((2, 3), torch.nan), PROMPT), ValueError, "no distribut"),
    ],
)
def test_what_cannot_be_decoded_with_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()
