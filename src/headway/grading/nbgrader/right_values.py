"""Release checks with the right values of the source's own solutions.

An extension of nbgrader: a preprocessor of `GenerateAssignment`, before solutions are cleared.
"""

from nbgrader.preprocessors import NbGraderPreprocessor

from headway.grading.notebooks.right_values import write_right_values
from headway.grading.settings import SEED


class WriteRightValues(NbGraderPreprocessor):
    """Puts right values into checks, and takes the seed of `headway release --seed` out."""

    def preprocess(self, nb, resources):
        write_right_values(nb)
        nb.metadata.pop(SEED, None)
        return nb, resources
