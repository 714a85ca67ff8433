"""`tools/new-chapter` lays out all that a chapter needs, or refuses and writes nothing."""

import ast
import importlib.util
import re
import shutil
import subprocess
import sys

import nbformat
import pytest
import yaml

import headway.tasks.chapters
from headway.chapters import CHAPTERS, PLANNED, Chapter
from headway.grading.nbgrader.release import Places, release
from headway.grading.notebooks.assignment import check_cells
from headway.tasks.engine.find import tasks_of
from headway.tasks.engine.judge import judge
from tests.book.test_sentences import faults
from tests.chapter_files import left_to_write, missing
from tools.new_chapter.__main__ import main
from tools.new_chapter.tables import rows_of

NEW = Chapter(5, "toy-tokens", "A “toy”: 2 · tokens", parts=("text", "tokens"), modules=())
CHANGED = ("src/headway/chapters.py", "_toc.yml")
# Chapters that the checkout takes for unwritten, whether they are or not.
UNWRITTEN = (5, 10, 16)
NAMES = ("--predict", "count", "order", "cost", "--build", "merge", "split-off", "--train", "learn")


@pytest.fixture
def checkout(root, tmp_path):
    """A checkout of what the tool changes, and of how code is put into form."""
    for path in ("src/headway/__init__.py", *CHANGED, "pyproject.toml"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / path, tmp_path / path)
    for path, unwritten in zip(CHANGED, (planned_again, without_pages), strict=True):
        (tmp_path / path).write_text(unwritten((root / path).read_text("utf-8")), "utf-8")
    return tmp_path


def planned_again(table: str) -> str:
    """The source of the table of chapters, the `UNWRITTEN` among those to come."""
    written, planned = rows_of(table, "CHAPTERS"), rows_of(table, "PLANNED")
    lines, moved = table.splitlines(keepends=True), []
    for row in reversed([row for row in written.elts if row.args[0].value in UNWRITTEN]):
        number, slug, title = (argument.value for argument in row.args)
        (parts,) = (k.value for k in row.keywords if k.arg == "parts")
        parts = ast.get_source_segment(table, parts)
        moved.append(f'    Planned({number}, "{slug}", "{title}", parts={parts}),\n')
        lines[row.lineno - 1 : row.end_lineno] = [""] * (row.end_lineno - row.lineno + 1)
    rest = "".join(f"    {ast.get_source_segment(table, row)},\n" for row in planned.elts)
    lines[planned.lineno - 1 : planned.end_lineno] = [
        f"PLANNED = (\n{rest}{''.join(reversed(moved))})\n"
    ]
    return "".join(lines)


def without_pages(contents: str) -> str:
    """The table of contents without the `UNWRITTEN`: two lines each, a file and its title."""
    numbers = "|".join(f"{number:02d}" for number in UNWRITTEN)
    return re.sub(rf" *- file: book/({numbers})-.*\n.*\n", "", contents)


@pytest.fixture
def laid_out(checkout):
    """The same with a new chapter."""
    assert main(["5", "toy-tokens", "--title", NEW.title, *NAMES], checkout) == 0
    return checkout


@pytest.fixture
def tasks(laid_out, monkeypatch):
    """The tasks of the new chapter."""
    package = headway.tasks.chapters
    folder = laid_out / "src/headway/tasks/chapters"
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder)])
    yield tasks_of(NEW.name)
    for name in [name for name in sys.modules if name.startswith(f"{package.__name__}.toy_tokens")]:
        del sys.modules[name]
    del package.toy_tokens


def texts(folder) -> dict[str, str]:
    """All files of a folder."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in files}


def test_every_file_is_there_and_names_what_is_to_write_until_it_is_written(laid_out):
    assert missing(laid_out, NEW) == [
        f"There is no exercises/{NEW.notebook}: `headway release 05` makes it."
    ]
    release(Places(laid_out), NEW.name)
    assert missing(laid_out, NEW) == []
    found = "\n".join(left_to_write(laid_out, NEW))
    assert f"book/{NEW.name}.md:11: what the chapter before left open" in found
    assert f"solutions/{NEW.notebook}, cell ask-merge: what is asked for" in found
    assert "toy_tokens/learn.py:27: for one who has read the page" in found
    assert "the name to-write-debug-1, in src/headway/tasks/chapters/toy_tokens/" in found
    for path in (path for path in laid_out.rglob("*") if path.is_file()):
        text = path.read_text("utf-8")
        path.write_text(text.replace("TO WRITE", "").replace("to-write", "a"), "utf-8")
    assert [line.split(",")[0] for line in left_to_write(laid_out, NEW)] == [
        "the name to-write-debug-1",
        "the name to-write-stretch-1",
    ]


def test_the_table_of_chapters_has_its_row_in_order(laid_out):
    source = importlib.util.spec_from_file_location("table", laid_out / "src/headway/chapters.py")
    table = importlib.util.module_from_spec(source)
    source.loader.exec_module(table)
    rows = [(c.number, c.slug, c.title, c.parts) for c in table.CHAPTERS]
    kept = [c for c in CHAPTERS if c.number not in UNWRITTEN]
    assert rows == sorted([(c.number, c.slug, c.title, c.parts) for c in (*kept, NEW)])
    planned = {c.number for c in PLANNED} | set(UNWRITTEN)
    assert sorted(c.number for c in table.PLANNED) == sorted(planned - {5})


def test_the_last_chapter_to_come_leaves_the_table_of_those_empty(checkout):
    path = checkout / CHANGED[0]
    table = path.read_text("utf-8")
    planned = rows_of(table, "PLANNED")
    row = ast.get_source_segment(table, planned.elts[0])
    lines = table.splitlines(keepends=True)
    lines[planned.lineno - 1 : planned.end_lineno] = [f"PLANNED = ({row},)\n"]
    path.write_text("".join(lines), "utf-8")
    assert main(["5", "toy"], checkout) == 0
    assert "\nPLANNED = ()\n" in path.read_text("utf-8")


@pytest.mark.parametrize(
    ("number", "part", "before", "after"),
    [
        ("5", 1, None, "book/06-embeddings"),
        ("10", 1, "book/09-many-heads", None),
        ("16", 2, "book/15-kv-cache", "book/capstone"),
    ],
)
def test_the_table_of_contents_has_its_page_in_its_part_in_order(
    checkout, number, part, before, after
):
    assert main([number, "toy", "--title", NEW.title], checkout) == 0
    toc = yaml.safe_load((checkout / "_toc.yml").read_text("utf-8"))
    pages = [None, *toc["parts"][part]["chapters"], None]
    (place,) = (i for i, page in enumerate(pages) if page and page["file"].endswith("-toy"))
    assert pages[place]["title"] == f"{number} · {NEW.title}"
    around = [page and page["file"] for page in (pages[place - 1], pages[place + 1])]
    assert around == [before, after]


def test_its_tasks_can_be_held_to_their_cases_and_its_notebook_be_released(laid_out, tasks):
    assert [(task.kind, task.points) for task in tasks] == [
        *[("predict", 1)] * 3,
        *[("build", 5), ("build", 4)],
        *[("debug", 1), ("debug", 2)],
        *[("train", 5), ("stretch", 4)],
    ]
    release(Places(laid_out), NEW.name)
    released = nbformat.read(laid_out / "exercises" / NEW.notebook, as_version=4)
    cells = check_cells(released)
    assert list(cells) == [task.id for task in tasks]
    text = {cell.id: cell.source for cell in released.cells}
    for task in tasks:
        assert judge(task, task.reference).status == "passed"
        for mistake in task.misconceptions:
            for wrong in mistake.answers:
                assert judge(task, wrong).misconception is mistake
        assert cells[task.id].source == f'check("{task.id}", {task.answer})'
        marks = cells[task.id].metadata.nbgrader
        assert (marks.points, marks.grade) == (0 if task.bonus else task.points, True)
        question = text[f"ask-{task.id.partition('/')[2]}"]
        assert question.startswith(f"### {task.title}\n\n*")
        assert f", about {task.minutes} minute" in question
    source = nbformat.read(laid_out / "solutions" / NEW.notebook, as_version=4)
    open_cells = [c.id for c in source.cells if not c.metadata.nbgrader.locked]
    assert open_cells == [task.id.partition("/")[2] for task in tasks]
    assert "SOLUTION" not in "".join(text.values())
    assert "numbers + numbers" not in "".join(text.values())


def test_it_is_in_form(laid_out):
    ours = ["--config", 'lint.isort.known-first-party=["headway"]']  # most of it is not there
    for command in (["check", *ours], ["format", "--check"]):
        ruff = [sys.executable, "-m", "ruff", *command, "--no-cache", "."]
        done = subprocess.run(ruff, cwd=laid_out, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout
    assert not list(faults((laid_out / f"book/{NEW.name}.md").read_text("utf-8")))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["4", "toy"], "There is a chapter 04-soft-lookup already."),
        (["5", "attention"], "There is a chapter 08-attention already."),
        (["17", "toy"], "'17' is no chapter's number; expected 1 to 16."),
        (
            ["5", "toy_tokens"],
            "'toy_tokens' is no name; expected small letters, digits and hyphens",
        ),
        (["5", "toy", "--build", "one", "--train", "one"], "The name 'one' is taken"),
        (["5", "toy", "--stretch", "predict"], "The name 'predict' is taken"),
        (["5", "toy", "--title", 'A "toy"'], "The title 'A \"toy\"' has a straight quotation"),
        (["5", "toy", "--predict", "one", "two"], "2 predict tasks; expected 3"),
        (["5", "toy", "--debug", "one", "two", "three"], "3 debug tasks share 2 points"),
        (["5", "mine"], "There is book/05-mine.md already. Nothing was written."),
    ],
)
def test_what_makes_no_chapter_is_refused_and_nothing_is_written(checkout, capsys, arguments, says):
    (checkout / "book").mkdir()
    (checkout / "book" / "05-mine.md").write_text("mine")
    before = texts(checkout)
    assert main(arguments, checkout) == 2
    assert capsys.readouterr().err.startswith(says)
    assert texts(checkout) == before


def test_the_command_needs_no_package(root):
    """It runs before `make setup`: on the system's Python, isolated from what is installed."""
    shell = ["/bin/sh", str(root / "tools" / "new-chapter"), "4", "toy"]
    python = {"PYTHON": sys.executable, "PYTHONNOUSERSITE": "1", "PATH": "/usr/bin:/bin"}
    done = subprocess.run(shell, env=python, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "There is a chapter 04-soft-lookup already.\n"
