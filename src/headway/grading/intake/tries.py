"""Read the record of checks that a student may have handed in.

The student can edit the record, so it is neither trusted nor graded.
"""

from pathlib import Path

from headway.grading.intake.folder import read_file
from headway.grading.intake.submitted_cells import SetAside
from headway.tasks.engine.tries import FILE, MOST_BYTES, Tries, count_tries


def read_tries(folder: Path, assignment: str) -> dict[str, Tries]:
    """How often each task was tried, from the record in a submission; empty without a record.

    Args:
        folder: the student's folder for the assignment.
        assignment: "01-one-hot".
    """
    try:
        text = read_file(folder, FILE, MOST_BYTES * 2).decode("utf-8", errors="replace")
    except (OSError, SetAside):
        return {}
    return count_tries(text, assignment)
