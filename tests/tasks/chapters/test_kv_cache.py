import json
from pathlib import Path

import numpy as np
import pytest
import torch

from headway.inference.cost import cache_bytes
from headway.tasks.chapters.kv_cache.decode import MARGIN, decode, decode_cases
from headway.tasks.chapters.kv_cache.read_new import draw_weights, empty, read_new
from headway.tasks.engine.find import find_task
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
        ids, logits, fed = solution["decode"](weights, texts[:, : n + 1], nothing, nothing, n)
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
        whole, *_ = read(text, nothing, nothing, *matrices)
        first, *held = read(text[:, :3], nothing, nothing, *matrices)
        then, *_ = read(text[:, 3:], *held, *matrices)
        assert torch.allclose(first, whole[:, :3], atol=1e-5)
        assert torch.allclose(then, whole[:, 3:], atol=1e-5) == right
