"""Wrong answers that were written after the catalogues, in other words than theirs.

They measure a catalogue better than its own entries. Those of a chapter stand in `further/`, as
`FURTHER[what it does] = (task, answer, the name that it should get, or None)`.
"""

from importlib import import_module

import pytest
import torch

from headway.chapters import CHAPTERS
from headway.tasks.engine.find import find_task
from headway.tasks.engine.judge import judge
from tests.full import seeds

LEAST_FURTHER = 15


def further(chapter) -> dict:
    return import_module(f"tests.tasks.further.{chapter.slug.replace('-', '_')}").FURTHER


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_a_catalogue_is_measured_by_fifteen_further_wrong_answers(chapter):
    count = len(further(chapter))
    assert count >= LEAST_FURTHER, (
        f"tests/tasks/further has {count} wrong answers to {chapter.name}; write "
        f"{LEAST_FURTHER} at least, after the catalogue and in other words than its own."
    )


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
@pytest.mark.parametrize("seed", seeds(1))
def test_a_further_wrong_answer_is_caught_and_the_same_mistake_gets_its_name(chapter, seed):
    found = []
    for what, (name, answer, misconception) in further(chapter).items():
        torch.manual_seed(seed)
        task = find_task(f"{chapter.name}/{name}")
        verdict = judge(task, answer, seed)
        named = verdict.misconception and verdict.misconception.name
        if verdict.status not in ("failed", "partial") or verdict.score >= task.points:
            found.append(f"{what} ({task.id}): {verdict.status}")
        elif named != misconception:
            found.append(f"{what} ({task.id}): {named}, expected {misconception}")
    assert not found, "\n".join(found)
