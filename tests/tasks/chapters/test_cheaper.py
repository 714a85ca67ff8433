import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import torch
from gguf import GGMLQuantizationType, dequantize

from headway.nn.attention import attend
from headway.nn.quantization import quantize as quantize_of_headway
from headway.nn.quantization import quantize_to_extreme, unpack
from headway.tasks.chapters.cheaper.add_keys import LOUD, add_keys, add_keys_task
from headway.tasks.chapters.cheaper.draft import cases, draft, draft_task, words_a_call
from headway.tasks.chapters.cheaper.join import join
from headway.tasks.chapters.cheaper.pack import pack, pack_cases
from headway.tasks.chapters.cheaper.product import product_task, wrapped
from headway.tasks.chapters.cheaper.quantize import quantize, quantize_cases
from headway.tasks.chapters.cheaper.rounds import check_drafts, rounds_task
from headway.tasks.engine.drawn_cases import cases_of
from headway.tasks.engine.judge import judge
from headway.tasks.engine.requirements import LARGE_NUMBERS
from tests.full import seeds
from tests.tasks.wrong_answers.cheaper import (
    draft_at_temperature_one,
    draft_of_two_words_cooled,
    draft_that_copies,
)

SEEDS = seeds(1)
SOLUTION = Path(__file__).parents[3] / "solutions" / "19-cheaper" / "19-cheaper.ipynb"


def first_words(check, p, q, n=50):
    """How often each word comes first in rounds with one drafted word, over all numbers."""
    p, q = torch.tensor(p, dtype=torch.double), torch.tensor(q, dtype=torch.double)
    V, places = len(p), (torch.arange(n) + 0.5).double() / n
    drafts, chances, redraws = torch.cartesian_prod(torch.arange(V).double(), places, places).T
    B, drafts = len(drafts), drafts.long()
    texts = check(
        p.expand(B, 2, V), q.expand(B, 1, V), drafts[:, None], chances[:, None], redraws, None
    )
    found = Counter()
    for words, weight in zip(texts, q[drafts].tolist(), strict=True):
        found[words[0]] += weight / n**2
    return [found[word] for word in range(V)]


@pytest.mark.parametrize(
    ("p", "q"),
    [
        ([0.5, 0.3, 0.2], [0.2, 0.3, 0.5]),
        ([0.1, 0.6, 0.3], [0.5, 0.3, 0.2]),
        ([0.0, 0.5, 0.5], [0.4, 0.4, 0.2]),
        ([0.4, 0.4, 0.2], [1.0, 0.0, 0.0]),
    ],
)
def test_a_round_gives_the_models_words_whatever_the_draft(p, q):
    np.testing.assert_allclose(first_words(check_drafts, p, q), p, atol=0.01)


@pytest.mark.parametrize(
    ("name", "answer", "shares"),
    [
        ("redrawn-from-another-rest", 0, [0.35, 0.39, 0.26]),  # from p
        ("redrawn-from-another-rest", 2, [0.35, 0.30, 0.35]),  # from |p − q|
        ("kept-by-another-rule", 0, [0.7, 0.3, 0.0]),  # only if p ≥ q
    ],
)
def test_known_mistakes_of_a_round_give_other_words(name, answer, shares):
    wrong = {m.name: m.answers for m in rounds_task.misconceptions}[name][answer]
    found = first_words(wrong, [0.5, 0.3, 0.2], [0.2, 0.3, 0.5])
    np.testing.assert_allclose(found, shares, atol=0.01)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_numbers_of_the_task_are_those_of_the_package(seed):
    for case in quantize_cases(np.random.default_rng(seed)):
        weights, bits, block = case.inputs
        if weights.shape[-1] % block:
            continue
        numbers, scales, meant = quantize(weights, bits, block)
        found = quantize_of_headway(weights, bits, block)
        assert torch.equal(numbers, found.numbers)
        assert torch.equal(scales, found.scales[..., 0])
        assert torch.equal(meant, found.weights())


@pytest.mark.parametrize("seed", SEEDS)
def test_who_reads_such_files_reads_the_bytes_of_the_task(seed):
    for case in pack_cases(np.random.default_rng(seed)):
        weights, block = case.inputs
        meant = quantize_to_extreme(weights, 4, block)
        packed = pack(weights, block).unflatten(1, (-1, 2 + block // 2))
        assert torch.equal(unpack(packed[..., 2:]), meant.numbers)
        if block == 32:
            read = dequantize(packed.flatten(1).numpy(), GGMLQuantizationType.Q4_0)
            np.testing.assert_array_equal(read, meant.weights().numpy())


@pytest.mark.parametrize("block", [1, 3, 5, 20])
def test_keys_that_are_added_or_joined_give_the_attention_of_all(block):
    rng = torch.Generator().manual_seed(0)
    query, key = torch.randn(2, 2, 5, 4, generator=rng), torch.randn(2, 2, 13, 4, generator=rng)
    value = torch.randn(2, 2, 13, 3, generator=rng)
    mask = torch.rand(2, 1, 5, 13, generator=rng) < 0.5
    mask[0, :, 0] = False
    nothing = torch.full((2, 2, 5, 1), -torch.inf), torch.zeros(2, 2, 5, 1), torch.zeros(2, 2, 5, 3)
    right, _ = attend(query, key, value, mask)
    state, parts = nothing, []
    pieces = [part.split(block, dim) for part, dim in ((key, 2), (value, 2), (mask, 3))]
    for some in zip(*pieces, strict=True):
        state = add_keys(*state, query, *some)
        largest, total, mixed = add_keys(*nothing, query, *some)
        mean = mixed / torch.where(total == 0, 1.0, total)
        parts.append((mean, (largest + total.log())[..., 0]))
    _, total, mixed = state
    torch.testing.assert_close(mixed / torch.where(total == 0, 1.0, total), right)
    torch.testing.assert_close(
        join(*(torch.stack(part) for part in zip(*parts, strict=True)))[0], right
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_large_scores_are_exact_so_no_right_answer_fails_by_its_rounding(seed):
    cases = {case.label: case.inputs for case in cases_of(add_keys_task, seed)}
    for label in (LOUD, LARGE_NUMBERS.label):
        _, _, _, query, key, *_ = cases[label]
        assert torch.equal((query @ key.mT).double(), query.double() @ key.double().mT), label


def test_the_faulty_product_is_right_where_the_text_says_so():
    short, long = (
        [case.inputs for case in product_task.cases(np.random.default_rng(0)) if word in case.label]
        for word in ("short", "long")
    )
    for inputs in short:
        torch.testing.assert_close(wrapped(*inputs), product_task.reference(*inputs))
    for inputs in long:
        off = (wrapped(*inputs) - product_task.reference(*inputs)).norm()
        assert off > 0.5 * product_task.reference(*inputs).norm()


@pytest.mark.full
@pytest.mark.parametrize("seed", SEEDS)
def test_a_draft_reaches_its_target_and_none_of_the_parts_alone_does(seed):
    for case in cases(np.random.default_rng(seed)):
        found = {
            answer: words_a_call(np.asarray(answer(*case.inputs)), case.truth.P)
            for answer in (
                draft,
                draft_of_two_words_cooled,
                draft_that_copies,
                draft_at_temperature_one,
            )
        }
        target = case.truth.target
        assert found[draft] > target + 0.08, case.label
        assert found[draft_of_two_words_cooled] < target, case.label
        assert found[draft_that_copies] < target, case.label
        if case.inputs[2] != 1:
            assert found[draft_at_temperature_one] < target - 0.05, case.label


@pytest.fixture(scope="module")
def solution():
    """The names of the solution's cells."""
    names = {}
    for cell in json.loads(SOLUTION.read_text())["cells"]:
        if cell["id"] in ("setup", "draft"):
            exec("".join(cell["source"]), names)
    return names


@pytest.mark.full
@pytest.mark.parametrize("seed", SEEDS)
def test_the_solutions_draft_passes(solution, seed):
    assert judge(draft_task, solution["draft"], seed).status == "passed"
