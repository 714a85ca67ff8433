"""What is handed in instead of the notebook is told, and graded where it is plainly the one."""

import io
import zipfile

import pytest

from headway.grading.intake import which_notebook as module
from headway.grading.intake.submission import SetAside, take_snapshot

NAME = "01-one-hot"
OURS = b'{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'


def archive(*names: str, how: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A student's own archive with a notebook under each name."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", how) as file:
        for name in names:
            file.writestr(name, OURS)
    return content.getvalue()


@pytest.fixture
def taken(tmp_path):
    """Reads a submission with these files; gives the snapshot, or why it is set aside."""

    def take(files: dict[str, bytes]):
        folder = tmp_path / "ada" / NAME
        for name, content in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        try:
            return take_snapshot(folder, NAME, "ada")
        except SetAside as reason:
            return str(reason)

    return take


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ([f"{NAME}.html"], f"Handed in {NAME}.html: a web page, not a notebook."),
        ([f"{NAME}.py"], f"Handed in {NAME}.py: a Python script, not a notebook."),
        ([f"{NAME}.PDF"], f"Handed in {NAME}.PDF: a PDF, not a notebook."),
        (["work.rar"], "Handed in work.rar: an archive, not a notebook."),
        (["work"], "Handed in work: no notebook."),
        (["a.py", "below/b.html"], "Handed in a.py, below/b.html: no notebook."),
        (["one.zip", "two.zip"], "Handed in one.zip, two.zip: no notebook."),
        (["tries.csv"], "Handed in tries.csv: no notebook."),
    ],
)
def test_what_is_no_notebook_is_named_and_what_to_do(taken, files, said):
    assert taken(dict.fromkeys(files, b"")) == f"{said} Ask for the .ipynb file."


@pytest.mark.parametrize(
    ("names", "inner"),
    [
        (["mine.ipynb", "__MACOSX/._mine.ipynb", "data.csv", "x/"], "mine.ipynb"),
        (["a/.ipynb_checkpoints/x.ipynb", f"a/{NAME}.ipynb"], f"a/{NAME}.ipynb"),
        (["scratch.ipynb", f"deep/er/{NAME}.ipynb"], f"deep/er/{NAME}.ipynb"),
    ],
)
def test_the_notebook_of_a_student_s_archive_is_graded_and_that_is_said(taken, names, inner):
    snapshot = taken({"work.zip": archive(*names), "data.csv": b"1"})
    assert snapshot.notebook == OURS
    assert snapshot.notes == (f"{inner} was taken out of work.zip, and nothing else in it.",)
    assert snapshot.files.keys() == {"work.zip", "data.csv"}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (archive("a.ipynb", "b.ipynb"), "several notebooks, none of them plainly 01-one-hot.ipynb"),
        (archive(f"a/{NAME}.ipynb", f"b/{NAME}.ipynb"), "a/01-one-hot.ipynb, b/01-one-hot.ipynb"),
        (archive("answers.py"), "an archive without a notebook. Ask for the .ipynb file."),
        (b"PK", "an archive that cannot be read. Ask"),
        (archive("a.ipynb").replace(OURS[:9], b"12345678")[:-30], "an archive that cannot be read"),
        (archive("a.ipynb", how=zipfile.ZIP_LZMA), "an archive that cannot be read. Ask"),
        (archive(*(f"{n}.txt" for n in range(1_001))), "an archive of more than 1,000 files"),
        (archive("\x1b[31m.ipynb", "b.ipynb"), r"\x1b[31m.ipynb, b.ipynb"),
    ],
)
def test_an_archive_that_does_not_plainly_hold_the_notebook_is_set_aside(taken, content, said):
    reason = taken({"work.zip": content})
    assert reason.startswith("Handed in work.zip: ")
    assert said in reason
    assert reason.isprintable()


def test_an_archive_that_would_fill_the_memory_is_not_read_to_its_end(taken, monkeypatch):
    monkeypatch.setattr(module, "MOST_BYTES", len(OURS) - 1)
    reason = taken({"work.zip": archive("a.ipynb")})
    assert "the notebook in this archive is too large" in reason


def test_of_several_notebooks_the_one_with_the_right_name_in_a_folder_is_taken(taken):
    snapshot = taken({"a.ipynb": b"{}", f"below/{NAME}.ipynb": OURS})
    assert snapshot.notebook == OURS
    assert snapshot.notes == (f"below/{NAME}.ipynb was taken for {NAME}.ipynb.",)
