"""Keeping what a notebook brings with it or prints within bounds while nbgrader grades it."""

import io
import json

from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor

from headway.tasks.check import MIME

MAX_TEXT = 100_000
MAX_MEDIA = 2_000_000
# Of all outputs together, in bytes: well below the size of a notebook that is still read.
MAX_TOTAL = 10_000_000


class SubmissionExporter(NotebookExporter):
    """Reads what students save, for `Autograde.exporter_class`.

    A byte order mark, which some editors put first, is skipped. The state of widgets belongs to
    outputs that are made anew, and a broken one stops the feedback page, so it is dropped.
    """

    def from_file(self, file_stream, resources=None, **kw):
        text = file_stream.read().removeprefix("\ufeff")
        return super().from_file(io.StringIO(text), resources, **kw)

    def from_notebook_node(self, nb, resources=None, **kw):
        nb.metadata.pop("widgets", None)
        return super().from_notebook_node(nb, resources, **kw)


class TrimOutput(NbGraderPreprocessor):
    """Cuts long outputs after execution; the verdicts of checks stay as they are."""

    def preprocess(self, nb, resources):
        self._left = MAX_TOTAL
        return super().preprocess(nb, resources)

    def preprocess_cell(self, cell, resources, cell_index):
        for output in cell.get("outputs", []):
            if output.output_type == "stream":
                output.text = self._cut(output.text)
            elif output.output_type == "error":
                output.ename, output.evalue = self._cut(output.ename), self._cut(output.evalue)
                output.traceback = [self._cut(line) for line in output.traceback]
            else:
                self._trim_data(output.data)
        return cell, resources

    def _cut(self, text: str) -> str:
        if len(text) > MAX_TEXT:
            text = f"{text[:MAX_TEXT]}\n… cut here: {len(text):,} characters in all."
        if self._take(text):
            return text
        return "… left out: the notebook's outputs are too large."

    def _trim_data(self, data: NotebookNode) -> None:
        for kind in [kind for kind in data if kind != MIME]:
            value = data[kind]
            if MIME in data and _size(value) <= MAX_TEXT:
                continue  # a check's own card and points
            if kind == "text/plain" and isinstance(value, str):
                data[kind] = self._cut(value)
                continue
            # Markup, a picture or JSON is of no use when cut, so it is kept or left out.
            limit = MAX_TEXT if kind.startswith("text/") else MAX_MEDIA
            if _size(value) > limit or not self._take(value):
                del data[kind]
                data.setdefault("text/plain", f"… left out: {kind} is too large.")

    def _take(self, value: object) -> bool:
        size = _size(value)
        if size > self._left:
            return False
        self._left -= size
        return True


def _size(value: object) -> int:
    return len(json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace"))
