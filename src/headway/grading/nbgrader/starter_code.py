"""Release starter code for debug tasks: an extension of nbgrader's `ClearSolutions`.

nbgrader replaces each solution region by a stub. In a debug task the student starts from faulty
code instead. This code is in the second half of the region, commented out:

    ### BEGIN SOLUTION
    i = ids.get(word, len(ids))
    ### GIVEN
    # i = ids.setdefault(word, len(ids))
    ### END SOLUTION

In the release, the given lines, without the comment marks, replace the region.
"""

import re

from nbgrader.preprocessors import ClearSolutions

INSIDE = r"(?:(?!### END SOLUTION).)*?"
REGION = re.compile(
    rf"^[ \t]*### BEGIN SOLUTION\n{INSIDE}"
    rf"^[ \t]*### GIVEN\n({INSIDE})"
    r"^[ \t]*### END SOLUTION[ \t]*\n?",
    re.DOTALL | re.MULTILINE,
)
COMMENT = re.compile(r"^[ \t]*#$|^([ \t]*)# ", re.MULTILINE)


class ReleaseStarterCode(ClearSolutions):
    """Replaces `ClearSolutions` among the preprocessors of `GenerateAssignment`."""

    def _replace_solution_region(self, cell, language):
        cell.source, handed_out = REGION.subn(
            lambda region: COMMENT.sub(r"\1", region[1]), cell.source
        )
        return super()._replace_solution_region(cell, language) or handed_out > 0
