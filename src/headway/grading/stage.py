"""A folder of submissions that nbgrader's converters may touch: made by us, of plain files.

nbgrader copies and parses what stands in its folder of submissions before any plug-in is asked. So
it gets another folder, of the same form, that holds what was read from the real one: the notebook
under its right name, the student's other files, and the time of handing in.
"""

from pathlib import Path

from headway.grading.intake import TIMESTAMP, Snapshot


class Stage:
    """The folder.

    Args:
        folder: where; empty.
    """

    def __init__(self, folder: Path):
        self.folder = folder

    def put(self, student: str, assignment: str, snapshot: Snapshot, notebook: bytes) -> None:
        """Put a submission there.

        Args:
            notebook: what stands in the place of the submitted one.
        """
        place = self.folder / student / assignment
        place.mkdir(parents=True)
        for path, content in snapshot.files.items():
            file = place / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        if snapshot.timestamp:
            text = f"{snapshot.timestamp:%Y-%m-%d %H:%M:%S.%f} UTC"
            (place / TIMESTAMP).write_text(text, encoding="utf-8")
        (place / f"{assignment}.ipynb").write_bytes(notebook)
