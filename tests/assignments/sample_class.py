"""The sample class: submissions whose scores were written down before anything graded them.

    python -m tests.assignments.sample_class FOLDER [NN …] [--trust-submissions]

makes the notebooks of all students from their files, `01-one-hot/ada.toml`, in FOLDER/01-one-hot,
grades them there, and prints what was expected and what came out. The exit code says whether they
agree. With chapter numbers only those are graded. The option is that of `headway grade`.
"""

import json
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

import nbformat

from headway.chapters import ASSIGNMENTS, find_chapter
from headway.commands.grade import grade
from tests.assignments.student import Student
from tests.assignments.student_file import read_student

HERE = Path(__file__).resolve().parent
ON_CELLS = ("Cells", "Answers", "Points")


def students_of(assignment: str) -> dict[str, Student]:
    """The students of an assignment's sample class, by name.

    Raises:
        StudentFileError: if one of their files has a mistake.
    """
    chapter = find_chapter(assignment)
    files = sorted((HERE / assignment).glob("*.toml"))
    return {file.stem: read_student(file, chapter) for file in files}


def two_of(students: Mapping[str, Student]) -> dict[str, Student]:
    """Those who show most; the full run grades all, the short run the first.

    Returns:
        The one with most known mistakes, some of which leave a part of the points, and the one
        with most right answers of their own and no wrong one.
    """
    names = (max(students, key=lambda name: _mistakes(students[name])),)
    names += (max(students, key=lambda name: _right_answers(students[name])),)
    return {name: students[name] for name in names}


def _mistakes(student: Student) -> tuple[bool, int]:
    """Whether some answer gets a part of its points, and how many get a misconception's name."""
    answers = student.answers.values()
    return any(one.score for one in answers), sum(bool(one.misconception) for one in answers)


def _right_answers(student: Student) -> int:
    """How many answers of their own get full points; none where any does not."""
    answers = student.answers.values()
    if any(one.misconception or one.score is not None for one in answers):
        return 0
    return sum(one.text is not None for one in answers)


def graded(
    assignment: str, course: Path, students: Mapping[str, Student], **options: object
) -> dict[str, dict]:
    """Hand submissions of an assignment in, grade them, give the report's rows with "notes"."""
    for student in students.values():
        student.hand_in(course)
    grade(assignment, course, **options)
    report = json.loads((course / "reports" / f"{assignment}.json").read_text(encoding="utf-8"))
    for name, row in report["students"].items():
        row["notes"] = notes_on_cells(course, name, assignment) if row["tasks"] else []
    return report["students"]


def notes_on_cells(course: Path, student: str, assignment: str) -> list[str]:
    """What a student is told of cells that were not as handed out, and were put right."""
    path = course / "autograded" / student / assignment / f"{assignment}.ipynb"
    notes = nbformat.read(path, as_version=4).metadata.headway["notes"]
    return [note for note in notes if note.startswith(ON_CELLS)]


def differences(wanted: dict, got: dict) -> list[str]:
    """Sentences on where one student's row of a report is not what was written down.

    Args:
        wanted: as from `Student.expected`.
        got: as from `graded`.
    """
    found = [
        f"{key} is {got[key]}, expected {wanted[key]}"
        for key in ("status", "score")
        if got[key] != wanted[key]
    ]
    for task_id, task in wanted["tasks"].items():
        row = got["tasks"].get(task_id)
        if row is None:
            found.append(f"{task_id} is not in the report")
            continue
        found += [
            f"{task_id}: {key} is {row[key]}, expected {task[key]}"
            for key in ("score", "misconception")
            if row[key] != task[key]
        ]
    notes = list(got["notes"])
    for opening, names in wanted["notes"].items():
        told = [n for n in notes if n.startswith(opening) and all(name in n for name in names)]
        if not told:
            found.append(f"no note says: {opening}: {', '.join(names)}")
        notes = [note for note in notes if note not in told]
    return found + [f"a note was not expected: {note}" for note in notes]


def compare(
    assignment: str, course: Path, students: Mapping[str, Student], **options: object
) -> bool:
    """Grade students of a sample class and print the comparison; whether all is as expected.

    Args:
        options: those of `headway grade`, such as `trust` or `no_feedback`.
    """
    wanted = {name: one.expected() for name, one in students.items()}
    rows = graded(assignment, course, students, **options)
    print(f"\n{assignment}: {len(wanted)} sample submissions")
    agree = set(rows) == set(wanted)
    for name in sorted(set(rows) | set(wanted)):
        if name not in rows or name not in wanted:
            print(f"  ✗ {name}: {'not graded' if name in wanted else 'nothing was expected'}")
            continue
        found = differences(wanted[name], rows[name])
        agree = agree and not found
        score = "no score" if wanted[name]["score"] is None else f"{wanted[name]['score']:g}"
        print(f"  {'✗' if found else '✓'} {name}: {score}. {wanted[name]['about']}")
        for sentence in found:
            print(f"      {sentence}")
    return agree


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    trust = "--trust-submissions" in sys.argv[2:]
    chosen = [find_chapter(given) for given in sys.argv[2:] if not given.startswith("--")]
    names = [c.name for c in chosen or ASSIGNMENTS if (HERE / c.name).is_dir()]
    agreements = [compare(name, folder / name, students_of(name), trust=trust) for name in names]
    print("All as expected." if all(agreements) else "Not as expected.")
    sys.exit(0 if all(agreements) else 1)
