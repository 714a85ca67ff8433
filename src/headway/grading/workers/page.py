"""Making a student's feedback page in a worker, within a processor time and a memory of its own.

A job:    {"do": "page", "notebook": the graded one as JSON, "assignment", "seconds", "tries",
           "grades": as `headway.grading.nbgrader.feedback.grades_of` gives them}
          as `headway.grading.rendering` makes it
A result: {"status": "page", "html"}
          {"status": "fault", "reason"}

Some texts keep a parser of Markdown busy for minutes, and no handler of a signal is heard
meanwhile. So the kernel ends the worker where the time is up; whoever asked writes a plain page
then, and the next job gets another worker.
"""

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from nbformat.v4 import reads_json
from traitlets.config import Config

from headway.grading.notebooks.nodes import OwnNotebook
from headway.grading.results.feedback import FeedbackExporter
from headway.grading.results.markdown import markdown_to_html
from headway.grading.results.sanitize import pictures_of
from headway.grading.words import one_line

MEMORY = 1 << 30  # on top of what the worker holds
REMEMBERED_LENGTH = 20_000


def make_page(job: dict) -> dict:
    """The result of a job, unless the process ends over it."""
    try:
        with _limited(job["seconds"]):
            return {"status": "page", "html": _rendered(job)}
    except MemoryError:
        return {"status": "fault", "reason": "the page needs too much memory"}
    except Exception as error:  # whatever strangers wrote, the page tells at least the scores
        return {"status": "fault", "reason": one_line(f"{type(error).__name__}: {error}")}


def _rendered(job: dict) -> str:
    notebook = reads_json(job["notebook"])
    grades = job["grades"]
    for cell in notebook.cells:
        marks = cell.metadata.get("nbgrader", {})
        name = marks.get("grade_id")
        if marks.get("solution") or marks.get("task"):
            marks["comment"] = grades["comments"].get(name)
        if marks.get("grade") or marks.get("task"):
            marks |= grades["cells"].get(name, {"score": 0.0, "points": 0.0})
    sums = {name: grades[name] for name in ("score", "max_score", "late_penalty")}
    told = {"nbgrader": {"notebook": job["assignment"], **sums}}
    html, _ = _exporter().from_notebook_node(OwnNotebook(notebook), told)
    return html


def _markdown(context, source: str) -> str:
    attachments = pictures_of(context.get("cell", {}))
    if attachments or len(source) > REMEMBERED_LENGTH:
        return markdown_to_html(source, attachments)
    return _remembered(source)


_remembered = lru_cache(maxsize=256)(markdown_to_html)  # a class shares most of its text


class PageExporter(FeedbackExporter):
    """The exporter of feedback pages, where the process is one that may be ended."""

    markdown = staticmethod(_markdown)


@lru_cache(maxsize=1)
def _exporter() -> PageExporter:
    """An exporter set up as nbgrader's `GenerateFeedback` does it, without importing nbgrader."""
    config = Config()
    extension = Path(find_spec("nbgrader").origin).parent / "server_extensions" / "formgrader"
    styles = extension / "static" / "node_modules" / "bootstrap" / "dist" / "css"
    config.Exporter.default_preprocessors = []
    config.HTMLExporter.template_name = "feedback"
    config.HTMLExporter.extra_template_basedirs = [str(extension / "templates")]
    config.HTMLExporter.extra_template_paths = [str(styles)]
    return PageExporter(config=config)  # the template names the style of colored code itself


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Have the kernel end this process after some seconds of processor time, and refuse memory."""
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    resource.setrlimit(resource.RLIMIT_DATA, (min(soft, _held() + MEMORY), hard))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _held() -> int:
    """Bytes of private memory that this process has."""
    lines = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith("VmData:"))
