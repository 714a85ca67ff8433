"""A course folder in which submissions are handed in, with limits that a test has time for."""

from collections.abc import Iterable
from pathlib import Path

from tests.hostile.submissions.submission import Submission

CONFIG = """
from headway.chapters import hidden_modules
from headway.grading.settings import configure

c = get_config()
configure(c, hidden_modules())
c.Allowance.cell_seconds = 4
c.Allowance.task_seconds = 4
c.Allowance.submission_seconds = {seconds}
c.Allowance.memory_mb = 512
"""


def course_folder(folder: Path, submissions: Iterable[Submission], seconds: float = 45) -> Path:
    """Hand submissions in; `seconds` are for the whole notebook of one."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "nbgrader_config.py").write_text(CONFIG.format(seconds=seconds), encoding="utf-8")
    for one in submissions:
        one.make(folder)
    return folder
