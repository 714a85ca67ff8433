"""What the tasks of an assignment owe together: names and hints of mistakes, kinds, and points."""

from headway.tasks.engine.find import tasks_of
from tests.each import each_assignment, each_chapter

MOST_NAMES = 80


def mistakes_of(chapter):
    return [(task, known) for task in tasks_of(chapter.name) for known in task.misconceptions]


@each_assignment
def test_a_hint_asks_or_tells_in_whole_sentences_and_prints_no_code(chapter):
    for task, mistake in mistakes_of(chapter):
        said = (task.id, mistake.name)
        assert mistake.hint[0].isupper(), said
        assert mistake.hint[-1] in ".?", said
        assert not set("`*_") & set(mistake.hint), (*said, "a hint is plain text")
        assert mistake.name == mistake.name.lower().replace(" ", "-"), said


@each_assignment
def test_a_mistake_has_one_name_and_one_hint_in_all_tasks_of_an_assignment(chapter):
    """The class report counts names, and a class makes only some of them."""
    hints, names = {}, {}
    for task, mistake in mistakes_of(chapter):
        assert hints.setdefault(mistake.name, mistake.hint) == mistake.hint, (
            f"{task.id}: {mistake.name} has another hint in another task. Make it a "
            "SharedMisconception, or give it another name."
        )
        assert names.setdefault(mistake.hint, mistake.name) == mistake.name, (
            f"{task.id}: the hint of {mistake.name} has another name in another task."
        )
    assert len(hints) <= MOST_NAMES, f"{len(hints)} names: merge what a teacher would call the same"


@each_chapter
def test_an_assignment_has_five_kinds_and_twenty_points(chapter):
    tasks = tasks_of(chapter.name)
    order = ["predict", "build", "debug", "train", "stretch"]
    kinds = [task.kind for task in tasks]
    assert kinds == sorted(kinds, key=order.index), f"TASKS of {chapter.name}: {', '.join(order)}"
    for kind, points in {"predict": 3, "build": 9, "debug": 3, "train": 5, "stretch": 4}.items():
        got = sum(task.points for task in tasks if task.kind == kind)
        assert got == points, (
            f"The {kind} tasks of {chapter.name} give {got:g} points, not {points}"
        )
    assert len({task.id for task in tasks}) == len(tasks)
    for task in tasks:
        names = [mistake.name for mistake in task.misconceptions]
        assert len(set(names)) == len(names)
        if task.kind in ("build", "debug"):
            assert names, f"{task.id} knows no mistake; what do students get wrong in it?"
