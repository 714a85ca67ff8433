"""The wrong answers that measure how mistakes are named can be read, and have names that exist."""

import pytest

from headway.tasks.engine.find import find_task
from headway.tasks.engine.requirements import hints_of
from tests.tasks.held_out import answers_of, chapters


@pytest.mark.parametrize("chapter", chapters())
def test_a_held_out_answer_has_names_of_its_task(chapter):
    answers = answers_of(chapter)
    assert len({answer.code for answer in answers}) == len(answers) >= 25
    for answer in answers:
        assert answer.task.startswith(chapter)
        assert {*answer.names} <= hints_of(find_task(answer.task)).keys(), answer.thought
