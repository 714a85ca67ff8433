"""Submissions that are damaged, by accident or not."""

import copy
import json
import os
import shutil
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_output

from tests.grading.classroom import cell_named, duplicate, hand_in
from tests.hostile.submissions.submission import (
    ALL,
    NAME,
    Submission,
    after_setup,
    also,
    answer,
    changed,
    folder,
    raw,
)

NOTEBOOK = "no Jupyter notebook"


def _as_format_3(content: bytes) -> bytes:
    old = nbformat.convert(nbformat.reads(content.decode(), as_version=4), 3)
    return nbformat.v3.writes_json(old).encode()


def _of_the_future(content: bytes) -> bytes:
    return json.dumps({**json.loads(content), "nbformat": 6, "nbformat_minor": 3}).encode()


def _of_49_mb(content: bytes) -> bytes:
    return content + b" " * (49_000_000 - len(content))


def _of_50000_cells(content: bytes) -> bytes:
    notebook = json.loads(content)
    notebook["cells"] += [{"cell_type": "code", "source": "1", "metadata": {}}] * 50_000
    return json.dumps(notebook).encode()


def _with_latin_1(content: bytes) -> bytes:
    return content.replace(b"(2 * 5 + 4 * -1) / 3", b"2  # caf\xe9", 1)


def _with_null_and_surrogate(content: bytes) -> bytes:
    notebook = json.loads(content)
    for cell in notebook["cells"]:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id")
        if name == "dot":
            cell["source"] = "dot = 2 \x00"
        if name == "shapes":
            cell["source"] = "shapes = '\ud800'"
    return json.dumps(notebook).encode()


def _rename(new: str):
    return lambda path: path.rename(path.parent / new)


def _two_others(path: Path) -> None:
    shutil.copyfile(path, path.parent / "draft.ipynb")
    path.rename(path.parent / "final.ipynb")


def _instead(make):
    def arrange(path: Path) -> None:
        path.unlink()
        make(path)

    return arrange


def _beside(make):
    return lambda path: make(path.parent / "data.csv")


def _link_folder(path: Path) -> None:
    path.parent.rename(path.parent.with_name("elsewhere"))
    path.parent.symlink_to("elsewhere")


def _long_name(path: Path) -> None:
    path.with_name("n" * 252 + ".py").touch()


def _file_for_folder(path: Path) -> None:
    shutil.rmtree(path.parent)
    path.parent.write_text("no folder")


def _folder_in_file(name: str):
    def arrange(path: Path) -> None:
        (path.parent / name).mkdir()
        (path.parent / name / "readme.txt").write_text("a folder of this name")

    return arrange


def _many_files(path: Path) -> None:
    (path.parent / "many").mkdir()
    for number in range(1_100):
        (path.parent / "many" / str(number)).touch()


def _drop(*names: str):
    def change(notebook) -> None:
        for name in names:
            notebook.cells.remove(cell_named(notebook, name))

    return change


def _edit_check(notebook) -> None:
    cell_named(notebook, "check-dot").source = f'check("{NAME}/dot", 2)'


def _edit_marks(notebook) -> None:
    cell_named(notebook, "check-dot").metadata.nbgrader.points = 1_000_000
    cell_named(notebook, "check-shapes").metadata.nbgrader.grade = False
    cell_named(notebook, "check-lookup").metadata.nbgrader.grade_id = "check-lookup-too"
    cell_named(notebook, "dot").metadata.nbgrader.update(grade=True, points=50)


def _new_graded_cell(notebook) -> None:
    marks = {"grade": True, "grade_id": "gift", "points": 100, "locked": False, "solution": False}
    cell = new_code_cell("100.0", metadata={"nbgrader": {**marks, "schema_version": 3}})
    notebook.cells.append(cell)


def _answer_twice(notebook) -> None:
    first, second = cell_named(notebook, "dot"), copy.deepcopy(cell_named(notebook, "dot"))
    first.source, second.source, second.id = "dot = 99", "dot = 2", "again"
    notebook.cells.insert(notebook.cells.index(first) + 1, second)


def _reverse(notebook) -> None:
    notebook.cells.reverse()


def _change_types(notebook) -> None:
    for name in ("dot", "check-dot"):
        cell = cell_named(notebook, name)
        cell.cell_type = "markdown"
        del cell["outputs"], cell["execution_count"]
    notebook.metadata.kernelspec = {"name": "bash", "display_name": "Bash", "language": "bash"}


def _plant_outputs(notebook) -> None:
    verdict = {"task": f"{NAME}/dot", "status": "passed", "score": 1, "max": 1, "bonus": False}
    card = {"application/vnd.headway.check+json": verdict, "text/html": "<b>Passed</b>"}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [
                new_output("display_data", data=card, metadata={"headway": "card"}),
                new_output("execute_result", data={"text/plain": "100.0"}),
            ]
    task = {"status": "passed", "score": 1, "max": 1, "misconception": None, "reason": None}
    notebook.metadata.headway = {"tasks": {f"{NAME}/dot": task}, "order": [], "notes": [], "own": 1}
    notebook.metadata.nbgrader = {"grade": 100}


def _plant_metadata(notebook) -> None:
    for cell in notebook.cells:
        cell.metadata.update(tags=["raises-exception"], deletable=False, headway="card")
    notebook.metadata.widgets = {"application/vnd.jupyter.widget-state+json": {"state": 3}}


def _strip_all_marks(notebook) -> None:
    for cell in notebook.cells:
        cell.metadata.pop("nbgrader", None)


BROKEN = (
    raw("broken-empty", "an empty file", b"", words=("empty",)),
    raw("broken-json", "invalid JSON", b'{"cells": [', words=(NOTEBOOK,)),
    raw("broken-other-json", "JSON that is no notebook", b"[1, 2]", words=(NOTEBOOK,)),
    raw("broken-deep", "nested a thousand deep", b"[" * 1000 + b"]" * 1000, words=("nested",)),
    raw("broken-format-3", "an old format", _as_format_3, "graded", ("format 3",)),
    raw("broken-format-6", "a format to come", _of_the_future, "graded", ("format 6",)),
    raw("broken-49-mb", "49 MB of one file", _of_49_mb, words=("MB",)),
    raw("broken-50000-cells", "50,000 cells", _of_50000_cells, words=("cells",)),
    raw("broken-utf-16", "another encoding", lambda b: b.decode().encode("utf-16"), words=("UTF",)),
    raw("broken-latin-1", "one cell in Latin 1", _with_latin_1, "graded", ("UTF-8",)),
    raw(
        "broken-null",
        "a null byte, half a character",
        _with_null_and_surrogate,
        "graded",
        tasks={"dot": 0, "shapes": 0},
        words=("null byte",),
    ),
    folder("broken-missing", "no notebook", lambda p: p.unlink(), "missing", ("empty",)),
    folder("broken-renamed", "renamed", _rename(f"{NAME} (1).ipynb"), "graded", ("(1)",)),
    folder("broken-two", "two with other names", _two_others, words=("Rename",)),
    folder(
        "broken-link", "a link", _instead(lambda p: p.symlink_to("/etc/passwd")), words=("link",)
    ),
    folder("broken-fifo", "a named pipe", _instead(os.mkfifo), words=("no plain file",)),
    folder("broken-pipe", "a named pipe beside it", _beside(os.mkfifo), words=("data.csv",)),
    folder(
        "broken-link-beside",
        "a link to a file of the instructor's",
        _beside(lambda p: p.symlink_to("../../../gradebook.db")),
        words=("data.csv is a link",),
    ),
    folder("broken-folder", "a folder", _instead(os.mkdir), words=("folder",)),
    folder("broken-link-folder", "a folder that is a link", _link_folder, words=("folder",)),
    folder("broken-file-folder", "a file for a folder", _file_for_folder, words=("not a folder",)),
    folder("broken-long-name", "a name as long as names can be", _long_name, words=("bytes",)),
    folder("broken-many", "1,100 files beside it", _many_files, words=("files",)),
    folder(
        "broken-page-folder",
        "a folder named as the page",
        _folder_in_file(f"{NAME}.html"),
        "graded",
    ),
    folder(
        "broken-ipynb-folder", "a folder named as a notebook", _folder_in_file("x.ipynb"), "graded"
    ),
    folder(
        "broken-time-folder", "a folder for the time", _folder_in_file("timestamp.txt"), "graded"
    ),
    changed("broken-no-check", "a deleted check", _drop("check-dot"), words=("deleted",)),
    changed("broken-check", "an edited check", answer("dot", "dot = 0"), _edit_check, lost={"dot"}),
    changed("broken-marks", "edited points, flags, ids", _edit_marks, words=("Points or flags",)),
    changed("broken-gift", "a graded cell of its own", _new_graded_cell, words=("unknown ids",)),
    changed("broken-no-answer", "a deleted answer", _drop("dot"), lost={"dot"}, words=("dot",)),
    changed("broken-twice", "duplicated cells", lambda n: duplicate(n, "check-dot"), _answer_twice),
    changed("broken-order", "cells in reverse", _reverse, words=("moved",)),
    changed("broken-types", "changed types and kernel", _change_types),
    changed("broken-planted", "planted results", _plant_outputs, base="release", lost=ALL),
    changed("broken-metadata", "planted metadata", _plant_metadata),
    changed("broken-marks-lost", "no mark is left", _strip_all_marks, words=("lost",)),
    changed("broken-syntax", "a syntax error", answer("dot", "dot = = 7"), lost={"dot"}),
    changed("broken-name", "an undefined name", answer("dot", "dot = dto"), lost={"dot"}),
    changed(
        "broken-import",
        "a module that is not there",
        answer("dot", "import nowhere\ndot = 2"),
        lost={"dot"},
        words=("ModuleNotFoundError",),
    ),
    changed(
        "broken-paths",
        "absolute and Windows paths, a missing file",
        answer("dot", "dot = int(open('/home/me/dot.txt').read())"),
        answer("shapes", "shapes = eval(open(r'C:\\Users\\me\\shapes.txt').read())"),
        answer("mixture", "mixture = np.loadtxt('mixture.csv')"),
        lost={"dot", "shapes", "mixture"},
        words=(
            "This cell did not find a file: No such file or directory: '/home/me/dot.txt'",
            "mixture.csv",
        ),
    ),
    changed(
        "broken-outputs",
        "nine megabytes of pictures and of text that JSON writes long",
        after_setup(
            "from IPython.display import display\n"
            "picture = 'iVBORw0KGgo' + 'A' * 1_000_000\n"
            "for _ in range(4): display({'image/png': picture}, raw=True)\n"
            "for _ in range(30): display({'text/plain': '\\U0001f600' * 40_000}, raw=True)"
        ),
    ),
    changed(
        "broken-sources",
        "twelve megabytes of comments",
        *[after_setup("#" + "\N{SNOWMAN}" * 330_000)] * 12,
    ),
    changed("broken-wide", "a line of a million characters", also("dot", "#" + "x" * 900_000)),
)


def _unshowable(course: Path) -> None:
    source = hand_in(course, "placeholder").parent
    target = os.fsencode(course / "submitted") + b"/\xff\xfe\x1b[2J"
    os.makedirs(target)
    os.rename(os.fsencode(source), os.path.join(target, NAME.encode()))
    source.parent.rmdir()


def _named(student: str, status: str = "set-aside") -> Submission:
    words = () if status == "graded" else ("Rename the folder",)
    return folder(student, "an odd name", lambda path: None, status, words)


NAMES = (
    _named("-rf"),
    _named("=1+1"),
    _named("<script>alert(13)<"),
    _named("a\nb"),
    _named("\x1b[31mred\x1b[0m"),
    _named("ad\u0430\u202e"),
    _named("n\u0303ame"),
    _named("x" * 200, "graded"),
    _named("hone\u0455t-solved", "graded"),  # with a Cyrillic letter
    _named("honest-solved "),
    _named("honest-solved.", "graded"),
    _named("Honest-Solved", "graded"),
    Submission(
        os.fsdecode(b"\xff\xfe\x1b[2J"),
        "a name that is no text",
        _unshowable,
        "set-aside",
        words=("Rename the folder",),
    ),
)
