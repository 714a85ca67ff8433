"""A folder of submissions that nbgrader's converters may touch: made by us, of plain files.

nbgrader copies and parses what stands in its folder of submissions before any plug-in is asked. So
it gets another folder, of the same form, that holds what was read from the real one: the notebook
under its right name, the student's other files, and the time of handing in.
"""

import re
from pathlib import Path

from headway.grading.intake.submission import TIMESTAMP, Snapshot

# nbgrader takes some names for its own: of notebooks, of the page that it writes, of the file that
# says when; on a folder of such a name it fails. And all files end up beside that page, where a
# browser would run what is in a page of the student's.
LEFT_OUT = re.compile(
    rf".*\.(ipynb|[xs]?html?|xht|svgz?|xml|xslt?|mht(ml)?)|{re.escape(TIMESTAMP)}",
    re.IGNORECASE | re.DOTALL,
)


class StagingFolder:
    """The folder.

    Args:
        folder: where; empty.
    """

    def __init__(self, folder: Path):
        self.folder = folder

    def put(self, student: str, assignment: str, snapshot: Snapshot, notebook: bytes) -> None:
        """Put a submission there, but for files and folders of certain names.

        Args:
            notebook: what stands in the place of the submitted one.
        """
        place = self.folder / student / assignment
        place.mkdir(parents=True)
        for path, content in snapshot.files.items():
            if any(map(LEFT_OUT.fullmatch, path.split("/"))):
                continue
            file = place / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        if snapshot.timestamp:
            text = f"{snapshot.timestamp:%Y-%m-%d %H:%M:%S.%f} UTC"
            (place / TIMESTAMP).write_text(text, encoding="utf-8")
        (place / f"{assignment}.ipynb").write_bytes(notebook)
