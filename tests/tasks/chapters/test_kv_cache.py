import json
import threading
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch

from headway.inference.cost import cache_bytes
from headway.tasks.chapters.kv_cache.asked_model import AskedModel
from headway.tasks.chapters.kv_cache.decode import MARGIN, decode, decode_cases, decode_task
from headway.tasks.chapters.kv_cache.prefill import prefill, prefill_task
from headway.tasks.chapters.kv_cache.read_new import draw_weights, empty, read_new
from headway.tasks.engine.find import find_task
from headway.tasks.engine.judge import judge
from tests.full import seeds

SEEDS = seeds(1)
SOLUTION = Path(__file__).parents[3] / "solutions" / "15-kv-cache" / "15-kv-cache.ipynb"
USED = ("setup", "train-model", "train-data", "read-new", "decode")


@pytest.fixture(scope="module")
def solution():
    """The names that the solution's cells make, and none of what they run."""
    cells = {
        cell["id"]: "".join(cell["source"]) for cell in json.loads(SOLUTION.read_text())["cells"]
    }
    cells["train-data"], _ = cells["train-data"].split("\n\n\nweights = ")
    names = {}
    for name in USED:
        exec(cells[name], names)
    return names | {"device": "cpu"}


@pytest.mark.full
@pytest.mark.parametrize("seed", SEEDS)
def test_a_trained_model_decodes_with_the_cache_within_the_target(solution, seed):
    solution["train"].__globals__["device"] = "cpu"
    quiet = solution["Watch"](shown=False)
    weights = solution["train"](solution["new_weights"](seed), seed, quiet)
    n = solution["LENGTH"]
    texts = solution["backwards"](200, torch.Generator().manual_seed(100 + seed))
    with torch.no_grad():
        nothing = solution["empty"](weights, len(texts))
        read = partial(solution["read_new"], weights)
        ids, logits, fed = solution["decode"](read, 2 * n + 1, texts[:, : n + 1], *[nothing] * 2, n)
        whole = solution["full"](weights, ids[:, :-1])[:, n:]
    assert fed == [n + 1] + [1] * (n - 1)
    assert (logits - whole).abs().max() < 1e-4 / 3
    assert (ids == texts).all(1).float().mean() > 0.95


def test_the_models_of_task_and_notebook_are_the_same(solution):
    rng = np.random.default_rng(3)
    weights, ids = draw_weights(rng), torch.from_numpy(rng.integers(0, 9, (2, 7)))
    nothing = empty(weights, 2)
    torch.testing.assert_close(
        read_new(weights, ids, nothing, nothing)[0], solution["full"](weights, ids)
    )


def read_again_in_a_thread(read, context, prompt, keys, values, steps):
    """Right, and says that it reads each token once: in a thread of its own it reads all again."""

    def read_all(ids, done):
        done.append(read(ids, keys, values)[0][:, -1])

    if keys.shape[3] + prompt.shape[1] + steps - 1 > context:
        raise ValueError
    ids, made = prompt, []
    for _ in range(steps):
        thread = threading.Thread(target=read_all, args=(ids, made))
        thread.start()
        thread.join()
        ids = torch.cat([ids, made[-1].argmax(-1, keepdim=True)], 1)
    return ids, torch.stack(made, 1), [prompt.shape[1]] + [1] * (steps - 1)


@pytest.mark.parametrize("seed", SEEDS)
def test_whoever_reads_again_is_found_out_wherever_that_happens(seed):
    verdict = judge(decode_task, read_again_in_a_thread, seed)
    assert verdict.score == 0
    assert verdict.misconception.name == "everything-read-again"


@pytest.mark.parametrize(
    ("ids", "held", "error"),
    [
        ([[1, 2]], 4, None),
        ([[1, 2]], 19, IndexError),
        ([[1, 9]], 0, IndexError),
        ([[-1, 1]], 0, IndexError),
        ([1, 2], 0, TypeError),
        ([[1.0]], 0, TypeError),
        ([[]], 0, TypeError),
        ([[1]] * 3, 0, TypeError),
        ("text", 0, TypeError),
    ],
)
def test_a_model_that_is_asked_reads_what_it_can_and_refuses_the_rest_in_words(ids, held, error):
    weights = draw_weights(np.random.default_rng(0))
    L, H, _, D = weights["key"].shape
    cache = np.zeros((2, L, len(ids), H, held, D))
    model = AskedModel(weights, rows=2)
    if error is None:
        logits, keys, values = model(np.array(ids), *cache)
        assert logits.shape == (1, 2, 9)
        assert keys.shape == values.shape == (L, 1, H, held + 2, D)
        for wrong in (cache[:, :1], cache.astype(int), cache[:, 0], [None, None]):
            with pytest.raises(TypeError, match="keys are floats"):
                model(np.array(ids), *wrong)
        with pytest.raises(TypeError, match="values are floats"):
            model(np.array(ids), cache[0], cache[1][..., :1, :])
    else:
        with pytest.raises(error):
            model(np.array(ids), *cache)


@pytest.mark.parametrize("seed", SEEDS)
def test_no_pass_over_the_whole_prompt_hides_behind_cleaned_numbers(seed):
    def one_pass(query, key, value, keys, values, chunk):
        _, sizes = prefill(query, key, value, keys, values, chunk)
        clean = key.nan_to_num(), value.nan_to_num()
        return prefill(query, *clean, keys, values, query.shape[2])[0].nan_to_num(), sizes

    verdict = judge(prefill_task, one_pass, seed)
    assert verdict.score == 0
    assert verdict.misconception.name == "later-keys-scored-and-hidden"


def test_no_choice_in_a_case_hangs_by_a_hair():
    for seed in SEEDS:
        for case in decode_cases(np.random.default_rng(seed)):
            try:
                _, logits, _ = decode(*case.inputs)
            except ValueError:
                assert "too many" in case.label
                continue
            best = logits.topk(2, -1).values
            assert (best[..., 0] - best[..., 1]).min() > MARGIN


def test_the_bytes_of_the_task_are_those_of_the_package():
    for case in find_task("15-kv-cache/bytes").cases(np.random.default_rng(1)):
        windows, heads, groups, width, length, batch, bits = case.inputs
        mine = sum(
            cache_bytes(1, groups, width // heads, length, batch, window=window)
            for window in windows
        )
        assert find_task("15-kv-cache/bytes").reference(*case.inputs) == mine * bits / 16


def test_a_text_read_in_pieces_shows_the_given_function_at_fault():
    task = find_task("15-kv-cache/restart")
    rng = torch.Generator().manual_seed(0)
    text, nothing = torch.randn(1, 5, 6, generator=rng), torch.zeros(1, 0, 4)
    matrices = [torch.randn(6, 4, generator=rng) for _ in range(3)]
    for read, right in ((task.given, False), (task.reference, True)):
        whole, *_ = read(text, nothing, nothing, 0, *matrices)
        first, *held = read(text[:, :3], nothing, nothing, 0, *matrices)
        then, *_ = read(text[:, 3:], *held, 3, *matrices)
        assert torch.allclose(first, whole[:, :3], atol=1e-5)
        assert torch.allclose(then, whole[:, 3:], atol=1e-5) == right
