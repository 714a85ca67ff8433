"""nbgrader's `Autograde`, for notebooks that were run and judged already: recording is left."""

from nbgrader.converters import Autograde

from headway.grading.nbgrader.adapter import convert_in_one_step


class Recorder(Autograde):
    """Records a graded notebook, with all preprocessors in one pass."""

    def convert_single_notebook(self, notebook_filename):
        convert_in_one_step(self, notebook_filename)
