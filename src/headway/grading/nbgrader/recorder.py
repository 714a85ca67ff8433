"""nbgrader's `Autograde`, for notebooks that were run and judged already: recording is left."""

from nbgrader.converters import Autograde
from nbgrader.converters.base import BaseConverter


class Recorder(Autograde):
    """Takes one step where `Autograde` takes two, between which it writes, reads and copies."""

    def convert_single_notebook(self, notebook_filename):
        self.exporter._preprocessors = []
        for preprocessor in (*self.sanitize_preprocessors, *self.autograde_preprocessors):
            self.exporter.register_preprocessor(preprocessor)
        BaseConverter.convert_single_notebook(self, notebook_filename)
