import json
import random
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.nn import functional

from headway.models.animals import ANIMALS, VALUES, WORLDS, World, ids_of, reader, rows_of
from headway.nn.low_rank import LowRank as PackageLowRank
from headway.tasks.chapters.answering.batch import answer_batch
from headway.tasks.chapters.answering.best_of_n import best_of_n
from headway.tasks.chapters.answering.chat import FAULTS, MARGIN, chat, chat_cases
from headway.tasks.chapters.answering.dpo import cases as pairs_of
from headway.tasks.chapters.answering.dpo import preference_losses
from headway.tasks.chapters.answering.low_rank import LowRank
from headway.tasks.chapters.answering.talker import Talker
from headway.tasks.chapters.answering.tune import (
    FORGOTTEN,
    TARGET,
    examine,
    learn_to_answer,
    tune_cases,
)
from headway.text.tokenizer import WhitespaceTokenizer
from headway.text.turns import TurnTokenizer
from headway.training import answers, preferences
from tests.full import seeds

SEEDS = seeds(1)
SOLUTION = Path(__file__).parents[3] / "solutions" / "17-answering" / "17-answering.ipynb"
USED = ("setup", "train-data", "answer")


@pytest.fixture(scope="module")
def solution():
    """The names that the solution's cells make, and none of what they run at their end."""
    cells = {
        cell["id"]: "".join(cell["source"]) for cell in json.loads(SOLUTION.read_text())["cells"]
    }
    cells["train-data"], _ = cells["train-data"].split("\n\n\ndef report")
    cells["answer"], _ = cells["answer"].split("\n\n\ntorch.manual_seed")
    names = {}
    for name in USED:
        exec(cells[name], names)
    return names | {"device": "cpu"}


@pytest.mark.full
@pytest.mark.parametrize("seed", SEEDS)
def test_the_solution_answers_and_remembers_with_margin(solution, seed):
    solution["learn_to_answer"].__globals__["device"] = "cpu"
    torch.manual_seed(seed)
    for case in tune_cases(np.random.default_rng(seed)):
        found = examine(solution["learn_to_answer"](*case.inputs), case)
        assert found.right >= TARGET + 0.05
        assert found.forgotten <= FORGOTTEN - 0.03


@pytest.mark.full
@pytest.mark.parametrize("world", WORLDS)
def test_the_model_has_learned_every_fact_from_texts(world):
    model, facts = reader(world), World(world).facts
    beginnings = {"food": "the {} eats", "home": "the {} lives in the", "color": "the {} is"}
    with torch.no_grad():
        for kind, beginning in beginnings.items():
            ids = torch.tensor([[0, *ids_of(beginning.format(animal))] for animal in ANIMALS])
            said = model(ids)[:, -1].argmax(-1).tolist()
            assert said == [ids_of(facts[animal][kind])[0] for animal in ANIMALS]


@pytest.mark.full
@pytest.mark.parametrize(
    "options", [{"texts": []}, {"rate": 3e-4}, {"rate": 3e-2}, {"end": False}], ids=str
)
def test_what_comes_first_to_mind_does_not_reach_the_target(options):
    """Without texts, too slow, too fast, or without the end."""
    case = tune_cases(np.random.default_rng(0))[0]
    weights, conversations, texts = case.inputs
    made = learn_to_answer(weights, conversations, **{"texts": texts, **options})
    found = examine(made, case)
    assert found.right < TARGET or found.forgotten > FORGOTTEN


def test_texts_of_the_model_end_as_they_begin():
    inputs, targets = rows_of(["the fox eats mice", "the bee is red and the bee likes seeds"])
    assert inputs.shape == targets.shape == (2, 10)
    assert inputs[:, 0].tolist() == targets[1, -1:].tolist() * 2 == [0, 0]
    assert (targets[0, 5:] == -100).all()
    world = World(1)
    text = world.draw_text(random.Random(3))
    assert any(text.count(animal) for animal in ANIMALS)
    assert set(VALUES) == set(world.facts["fox"])


def test_the_batch_of_the_task_is_that_of_the_package():
    turns = TurnTokenizer(WhitespaceTokenizer.from_text("a b c d", specials=()))
    talks = [["a b", "c"], ["d", "a a a", "b c", ""]]
    encoded = [turns.encode(talk) for talk in talks]
    special = turns.question, turns.answer, turns.end
    mine = answer_batch([ids for ids, _ in encoded], *special, padding=0, context=99)
    for got, expected in zip(mine, answers.answer_batch(encoded), strict=True):
        assert torch.equal(got, expected)


def test_the_layer_of_the_task_is_that_of_the_package():
    linear = torch.nn.Linear(5, 4)
    theirs = PackageLowRank(linear, 2, 6.0, torch.Generator().manual_seed(0))
    mine = LowRank(linear.weight.data, linear.bias.data, theirs.A.data, 6.0)
    x = torch.randn(3, 5)
    for layer in (mine, theirs):
        layer.B.data[:] = torch.linspace(-1, 1, 8).view(4, 2)
    torch.testing.assert_close(mine(x), theirs(x))
    torch.testing.assert_close(mine.merged(), theirs.weight)
    torch.testing.assert_close(functional.linear(x, mine.merged(), linear.bias), theirs(x))


def test_the_losses_of_the_task_are_those_of_the_package():
    for case in pairs_of(np.random.default_rng(2)):
        logits, reference, targets, beta = case.inputs
        policy, before = (
            preferences.answer_log_probability(scores, targets).chunk(2)
            for scores in (logits, reference)
        )
        losses, rewards = preference_losses(*case.inputs)
        expected = preferences.dpo_loss(*policy, *before, beta)
        torch.testing.assert_close(losses, expected, atol=1e-4, rtol=1e-4)
        implied = preferences.implied_reward(policy[0], before[0], beta)
        torch.testing.assert_close(rewards[:, 0], implied, atol=1e-4, rtol=1e-4)


def test_the_best_of_n_is_what_drawing_shows():
    rng = np.random.default_rng(4)
    p, reward = np.array([0.5, 0.2, 0.2, 0.1]), np.array([1.0, 3.0, 3.0, 2.0])
    chosen, divergence, mean, truth = best_of_n(np.log(p), reward, -reward, 3)
    drawn = rng.choice(4, (40_000, 3), p=p)
    kept = drawn[np.arange(len(drawn)), reward[drawn].argmax(1)]
    assert np.abs(np.bincount(kept) / len(kept) - chosen).max() < 0.012
    assert abs(chosen.sum() - 1) < 1e-12
    assert 0 < divergence <= np.log(3) - 2 / 3 + 1e-12
    assert mean == -truth == chosen @ reward


@pytest.mark.parametrize("seed", SEEDS)
def test_no_choice_of_a_talk_hangs_by_a_hair_and_faults_show(seed):
    for case in chat_cases(np.random.default_rng(seed)):
        model, questions, *rest = case.inputs
        gaps = []

        def watched(row, model=model, gaps=gaps):
            scores = model(row)
            gaps.append(np.diff(np.sort(scores)[-2:])[0])
            return scores

        said = chat(watched, questions, *rest)
        assert min(gaps) >= MARGIN
        if len(questions) > 1:
            assert all(fault(model, questions, *rest) != said for fault in FAULTS)


@pytest.mark.parametrize(
    ("ids", "error"),
    [
        ([1, 2], None),
        ([[1]], TypeError),
        ([1.0], TypeError),
        ([], TypeError),
        ("ab", TypeError),
        ([7], IndexError),
        ([-1], IndexError),
    ],
)
def test_a_model_that_is_asked_goes_on_with_what_it_knows_and_refuses_the_rest(ids, error):
    model = Talker(np.random.default_rng(0).normal(size=(3, 7, 7)))
    if error is None:
        assert model(ids).shape == (7,)
        assert not np.allclose(model(ids), model(ids[::-1]))
    else:
        with pytest.raises(error):
            model(ids)
