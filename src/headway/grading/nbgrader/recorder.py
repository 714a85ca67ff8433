"""nbgrader's `Autograde`, reduced to recording notebooks that are run and judged already."""

import json

import nbformat
from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode, from_dict
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde

from headway.grading.nbgrader.recorded import forget_time
from headway.grading.nbgrader_adapter import convert_in_one_step, preprocessors_of, time_in


class Recorder(Autograde):
    """Records graded notebooks, each with all preprocessors in one pass."""

    def init_assignment(self, assignment_id, student_id):
        super().init_assignment(assignment_id, student_id)
        if time_in(self, assignment_id, student_id) is None:
            with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as gradebook:
                forget_time(gradebook, assignment_id, student_id)

    def convert_single_notebook(self, notebook_filename):
        convert_in_one_step(self, notebook_filename)


class GradedNotebookExporter(NotebookExporter):
    """For `Recorder.exporter_class`: creates the notebook itself, which avoids copies.

    It is validated against nbformat's schema once, after the last preprocessor.
    """

    def from_file(self, file_stream, resources=None, **kw):
        return self.from_notebook_node(from_dict(json.load(file_stream)), resources, **kw)

    def from_notebook_node(self, nb: NotebookNode, resources=None, **kw):
        resources = self._init_resources(resources)
        resources["output_suffix"] = ".nbconvert"
        for preprocessor in preprocessors_of(self):
            nb, resources = preprocessor(nb, resources)
        nbformat.validate(nb, relax_add_props=True)
        return f"{json.dumps(nb, ensure_ascii=False)}\n", resources
