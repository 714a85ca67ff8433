import json
from pathlib import Path

import numpy as np
import pytest
import torch

from headway.tasks.chapters.translator.rules import translate_by_rules
from headway.tasks.chapters.translator.translate import TARGET, known, new_sentences, share_right
from headway.tasks.engine.find import find_task
from headway.tasks.engine.judge import judge
from headway.text.corpus.split import generator
from headway.text.corpus.translation import translations
from tests.full import seeds

SEEDS = seeds(1)
SOLUTION = Path(__file__).parents[3] / "solutions" / "13-translator" / "13-translator.ipynb"
USED = ("setup", "shift", "train-data", "train-model", "greedy-step", "translate")


@pytest.fixture(scope="module")
def solution():
    """The names that the solution's cells make, and the rest of the cell that trains."""
    cells = {
        cell["id"]: "".join(cell["source"]) for cell in json.loads(SOLUTION.read_text())["cells"]
    }
    names = {}
    cells["translate"], _ = cells["translate"].split("\n\n\ndevice = ")
    for name in USED:
        exec(cells[name], names)
    return names


@pytest.mark.full
@pytest.mark.parametrize("seed", SEEDS)
def test_the_solution_translates_unseen_combinations_with_margin(solution, seed):
    solution["device"] = "cpu"
    solution["model"] = model = solution["new_model"](seed)
    solution["train"](model, solution["known"])
    for case in find_task("13-translator/translate").cases(np.random.default_rng(seed)):
        assert share_right(solution["translate"](case.inputs[0]), case) > TARGET + 0.015


def test_the_notebook_holds_out_what_the_task_asks_for(solution):
    sources, out = known()
    assert {pair.source for pair in solution["known"]} == sources
    assert all(not out.isdisjoint(pair.combinations) for pair in solution["new"])
    unseen, seen = new_sentences(5)
    assert len(unseen) >= 320
    assert len(seen) >= 200
    assert sources.isdisjoint(pair.source for pair in (*unseen, *seen))
    assert all(not out.isdisjoint(pair.combinations) for pair in unseen)
    words = set(solution["english"].symbols)
    assert all(words.issuperset(pair.source.split()) for pair in (*unseen, *seen))


def test_the_rules_translate_every_sentence_of_the_grammar():
    pairs = translations(generator(1), 3_000)
    assert [translate_by_rules(pair.source) for pair in pairs] == [pair.target for pair in pairs]
    with pytest.raises(ValueError, match="does not make"):
        translate_by_rules("the cat sleep")


def test_a_decoder_passes_only_if_no_answer_reaches_its_own_position():
    task = find_task("13-translator/leak")
    case = task.cases(np.random.default_rng(0))[0]
    target, *rest = case.inputs
    for decoder, leaks in ((task.given, True), (task.reference, False)):
        before = decoder(target, *rest)
        for t in range(target.shape[1]):
            other = target.clone()
            other[:, t] = (other[:, t] % 6) + 1
            same = torch.equal(decoder(other, *rest)[:, : t + 1], before[:, : t + 1])
            assert same != (leaks and t < target.shape[1] - 1)


@pytest.mark.parametrize("seed", range(20))
def test_a_greedy_step_that_draws_by_chance_never_earns_anything(seed):
    def by_chance(logits, written, end, padding):
        draw = torch.Generator().manual_seed(logits.shape[0])
        token = torch.multinomial(logits[:, -1].softmax(-1), 1, generator=draw)
        done = (written == end).any(1, keepdim=True)
        longer = torch.cat([written, torch.where(done, padding, token)], 1)
        return longer, (longer == end).any(1)

    verdict = judge(find_task("13-translator/greedy-step"), by_chance, seed)
    assert (verdict.status, verdict.score) == ("failed", 0)
