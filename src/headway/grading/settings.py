"""The course's configuration of nbgrader, for the checkout and for instructors' course folders.

`nbgrader_config.py` calls `configure`, so that `nbgrader generate_assignment`, `nbgrader
autograde`, `nbgrader validate` and the formgrader work as the `headway` commands do.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from traitlets.config import Config

STUB = "...  # YOUR CODE HERE"
# Hides the kernel's notice that it listens on the loopback interface.
KERNEL_ARGUMENTS = ["--log-level=ERROR"]
STATE = ".headway"
SEED = "headway_seed"  # in the metadata of a source that `headway release --seed` varied

# What makes a folder a course folder; any of them does.
HELD = ("submitted", "source", "gradebook.db")


def holds_a_course(folder: Path) -> bool:
    """Whether something of a course is in a folder."""
    return any((folder / name).exists() for name in HELD)


def configure(config: Config, hidden_modules: Mapping[str, Sequence[str]]) -> None:
    """Put the course's settings into nbgrader's configuration.

    Args:
        hidden_modules: for each assignment, this package's modules that answer its tasks, which
            submissions cannot import.
    """
    # Imported here, since importing Jupyter takes long.
    import headway.grading.nbgrader_adapter  # noqa: F401 - patches nbgrader where it has no option
    from headway.grading.notebooks.run import CELL_SECONDS, seconds_of

    # A stub that runs, so that an untouched notebook shows "not started" cards and no errors.
    config.ClearSolutions.code_stub = {"python": STUB}
    config.GenerateAssignment.preprocessors = [
        "nbgrader.preprocessors.IncludeHeaderFooter",
        "nbgrader.preprocessors.InstantiateTests",
        "headway.grading.nbgrader.right_values.WriteRightValues",
        "nbgrader.preprocessors.LockCells",
        "headway.grading.nbgrader.starter_code.ReleaseStarterCode",
        "nbgrader.preprocessors.ClearOutput",
        "headway.grading.nbgrader.metadata_check.CheckMetadataOnce",
        "nbgrader.preprocessors.ComputeChecksums",
        "headway.grading.nbgrader.save_cells.SaveChangedCells",
        "nbgrader.preprocessors.ClearHiddenTests",
        "nbgrader.preprocessors.ClearMarkScheme",
        "nbgrader.preprocessors.ComputeChecksums",
        "headway.grading.nbgrader.metadata_check.CheckMetadataOnce",
    ]
    # Students' programs write into the exchange, so their author and time are not trusted.
    config.ExchangeFactory.collect = "headway.grading.nbgrader.collect.Collect"
    config.Execute.timeout = CELL_SECONDS
    # The same limits as in `headway check`; some checks have a higher one.
    config.Execute.timeout_func = seconds_of
    config.Execute.extra_arguments = KERNEL_ARGUMENTS
    config.GenerateFeedback.exporter_class = "headway.grading.results.feedback.FeedbackExporter"
    # The formgrader's page can change grades, so nothing of a submission may run there.
    plain = "headway.grading.results.formgrader"
    config.HTMLExporter.preprocessors = [f"{plain}.PlainNotebook"]
    config.HTMLExporter.filters = {
        "markdown2html": f"{plain}.text_filter",
        "highlight_code": f"{plain}.code_filter",
        "strip_files_prefix": f"{plain}.as_it_is",
    }
    # Headway reads, repairs, runs and judges submissions; nbgrader gets the results.
    config.Autograde.exporter_class = "headway.grading.nbgrader.plugin.SandboxExporter"
    config.SandboxExporter.hidden_modules = {
        name: list(modules) for name, modules in hidden_modules.items()
    }
    config.Autograde.sanitize_preprocessors = [
        "headway.grading.nbgrader.metadata_check.CheckMetadataOnce"
    ]
    config.Autograde.autograde_preprocessors = [
        "nbgrader.preprocessors.IgnorePattern",
        "nbgrader.preprocessors.LimitOutput",
        "headway.grading.nbgrader.scores.RecordScores",
        "nbgrader.preprocessors.AssignLatePenalties",
        "headway.grading.nbgrader.metadata_check.CheckMetadataOnce",
    ]
