"""Damaged notebooks: each ends as repaired, or set aside with a sentence, and in nothing else."""

from collections import Counter

import nbformat
import pytest

from headway.chapters import CHAPTERS, course_root, released_notebook
from headway.grading.intake.repair import SetAside, choose_release, repair
from tests.full import FULL
from tests.hostile.mutate import mutant

MUTANTS = 2_000 if FULL else 100
PARTS = 20


@pytest.fixture(scope="module")
def release():
    return nbformat.read(released_notebook(CHAPTERS[0]), as_version=4)


@pytest.fixture(scope="module")
def solved():
    return (course_root() / "solutions" / CHAPTERS[0].notebook).read_bytes()


def names(cells):
    return [c.metadata.nbgrader.grade_id for c in cells if "nbgrader" in c.metadata]


def hold_to_promises(notebook, release):
    """What grading may rely on in any repaired notebook."""
    nbformat.validate(notebook, relax_add_props=False)
    assert names(notebook.cells) == names(release.cells)
    known = {c.metadata.nbgrader.grade_id: c for c in release.cells}
    for cell in notebook.cells:
        cell.source.encode()
        if cell.cell_type == "code":
            assert (cell.outputs, cell.execution_count) == ([], None)
        if "nbgrader" not in cell.metadata:
            assert cell.metadata == {}
            continue
        own = known[cell.metadata.nbgrader.grade_id]
        assert (cell.metadata, cell.cell_type) == (own.metadata, own.cell_type)
        assert cell.metadata.nbgrader.solution or cell.source == own.source
    assert notebook.metadata == release.metadata


def outcome_of(raw, release):
    """How a submission ends, after all that holds for such an end was checked."""
    reason, first = None, None
    try:
        first = repair(raw, release)
    except SetAside as error:
        reason = str(error)
    if reason is not None:
        assert reason.endswith(".")
        assert reason.isprintable()
        assert len(reason) < 300
        return "set aside"
    hold_to_promises(first.notebook, release)
    assert all(note.endswith(".") and len(note) < 500 for note in first.notes)
    assert choose_release(raw, [release, release]) is release
    second = repair(nbformat.writes(first.notebook).encode(), release)
    assert second.notebook == first.notebook
    return "repaired" if first.notes else "as it was"


@pytest.mark.parametrize("part", range(PARTS))
def test_a_damaged_notebook_is_repaired_or_set_aside(part, solved, release):
    outcomes = Counter()
    for seed in range(part, MUTANTS, PARTS):
        raw = mutant(solved, seed)
        try:
            outcomes[outcome_of(raw, release)] += 1
        except Exception as error:
            error.add_note(f"This was the mutant of seed {seed}.")
            raise
    assert sum(outcomes.values()) == len(range(part, MUTANTS, PARTS))


def test_the_mutants_reach_both_ends(solved, release):
    seen = Counter(outcome_of(mutant(solved, seed), release) for seed in range(1_000, 1_040))
    assert seen["repaired"] > 5
    assert seen["set aside"] > 5
