"""The sample class: submissions whose scores were written down before anything graded them.

    python tests/assignments/sample_class.py FOLDER [--trust-submissions]

copies each assignment's submissions to FOLDER, grades them there, and prints what was expected
and what came out. The exit code says whether they agree. `expected.json` beside a submission
holds its status, its score, and the score and misconception of each task. The option is that of
`headway grade`.
"""

import json
import shutil
import sys
from pathlib import Path

from headway.chapters import CHAPTERS
from headway.commands import grade

HERE = Path(__file__).resolve().parent


def graded(assignment: str, course: Path, **options: bool) -> dict:
    """Copy the submissions of an assignment into a course folder, grade them, give the report."""
    shutil.copytree(
        HERE / assignment / "submitted",
        course / "submitted",
        dirs_exist_ok=True,
        ignore=shutil.ignore_patterns("expected.json"),
    )
    grade.run(assignment, course, **options)
    return json.loads((course / "reports" / f"{assignment}.json").read_text(encoding="utf-8"))


def expected(assignment: str) -> dict[str, dict]:
    """What was written down, by student."""
    files = (HERE / assignment / "submitted").glob("*/expected.json")
    return {file.parent.name: json.loads(file.read_text(encoding="utf-8")) for file in files}


def differences(wanted: dict, got: dict) -> list[str]:
    """Sentences on where one student's row of a report is not what was written down."""
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
    return found


def compare(assignment: str, course: Path, **options: bool) -> bool:
    """Grade an assignment's sample class and print the comparison; whether all is as expected.

    Args:
        options: those of `headway grade`, such as `trust` or `feedback`.
    """
    wanted = expected(assignment)
    # In a folder of several assignments, those who did another one count as missing in this.
    students = {
        name: row
        for name, row in graded(assignment, course, **options)["students"].items()
        if name in wanted or row["status"] != "missing"
    }
    print(f"\n{assignment}: {len(wanted)} sample submissions")
    agree = set(students) == set(wanted)
    for name in sorted(set(students) | set(wanted)):
        if name not in students or name not in wanted:
            print(f"  ✗ {name}: {'not graded' if name in wanted else 'nothing was expected'}")
            continue
        found = differences(wanted[name], students[name])
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
    names = [c.name for c in CHAPTERS if (HERE / c.name).is_dir()]
    trust = "--trust-submissions" in sys.argv[2:]
    agreements = [compare(name, folder, trust=trust) for name in names]
    print("All as expected." if all(agreements) else "Not as expected.")
    sys.exit(0 if all(agreements) else 1)
