"""How the course configures nbgrader, for the checkout and for an instructor's course folder.

`nbgrader_config.py` calls `configure`, so that `nbgrader generate_assignment`, `nbgrader
autograde`, `nbgrader validate` and the formgrader work as the `headway` commands do.
"""

from traitlets.config import Config

STUB = "...  # YOUR CODE HERE"
CELL_SECONDS = 120
# The kernel's notice that it listens on this machine's loopback is no news for a student.
KERNEL_ARGUMENTS = ["--log-level=ERROR"]

COURSE_CONFIG = '''"""nbgrader's configuration of this course folder: the Headway course's settings.

Written by `headway grade`, and yours to change: it is never overwritten.
"""

from headway.grading.settings import configure

configure(get_config())
'''


def configure(config: Config) -> None:
    """Put the course's settings into nbgrader's configuration."""
    # A stub that runs: an untouched notebook shows "not started" cards, not a wall of errors.
    config.ClearSolutions.code_stub = {"python": STUB}
    config.GenerateAssignment.preprocessors = [
        "nbgrader.preprocessors.IncludeHeaderFooter",
        "nbgrader.preprocessors.InstantiateTests",
        "nbgrader.preprocessors.LockCells",
        "headway.grading.given.ClearSolutionsButGiven",
        "nbgrader.preprocessors.ClearOutput",
        "nbgrader.preprocessors.CheckCellMetadata",
        "nbgrader.preprocessors.ComputeChecksums",
        "nbgrader.preprocessors.SaveCells",
        "nbgrader.preprocessors.ClearHiddenTests",
        "nbgrader.preprocessors.ClearMarkScheme",
        "nbgrader.preprocessors.ComputeChecksums",
        "nbgrader.preprocessors.CheckCellMetadata",
    ]
    config.Execute.timeout = CELL_SECONDS
    config.Execute.extra_arguments = KERNEL_ARGUMENTS
    config.GenerateFeedback.exporter_class = "headway.grading.feedback.FeedbackExporter"
    # A check that a student deleted is put back, and run.
    config.OverwriteCells.add_missing_cells = True
    config.Autograde.exporter_class = "headway.grading.trim.SubmissionExporter"
    config.Autograde.autograde_preprocessors = [
        "nbgrader.preprocessors.Execute",
        "headway.grading.trim.TrimOutput",
        "nbgrader.preprocessors.IgnorePattern",
        "nbgrader.preprocessors.LimitOutput",
        "headway.grading.bonus.SaveGradesAndBonus",
        "nbgrader.preprocessors.AssignLatePenalties",
        "nbgrader.preprocessors.CheckCellMetadata",
    ]
